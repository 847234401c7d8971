import type { SessionRecord } from "../services/ports.js";

/** A session as JSON and CSV outputs show it: times in ISO 8601, without the tenant. */
export function toPlainSession(session: SessionRecord): Record<string, unknown> {
	const { tenant_id: _tenant, started_at, last_message_at, ...rest } = session;
	return { ...rest, started_at: new Date(started_at).toISOString(), last_message_at: new Date(last_message_at).toISOString() };
}
