import { LabelError } from "../errors.js";
import type { TenantRecord } from "./ports.js";
import type { NamedConversation } from "./scored-batch.js";
import type { Sessions } from "./sessions.js";

/** What became of one session of a merged database. */
export interface MergedSession {
	external_id: string;
	/** Turns stored now, and turns that were there already. */
	stored: number;
	skipped: number;
	/** Why the session was not taken; null when it was. */
	error: LabelError | null;
}

const PAGE = 200;

/**
 * Stores all sessions of one tenant of `source` in `target`, by the run-again rule of `label run`: what is there already is skipped, what
 * follows is appended, a contradiction is rejected. Turns are labelled anew by the target's scorer, so that one database has one voice.
 */
export function* mergeSessions(source: Sessions, sourceTenant: TenantRecord, target: Sessions, targetTenant: TenantRecord): Generator<MergedSession> {
	let cursor: string | undefined;
	do {
		const page = source.list(sourceTenant.id, { order: "recent", limit: PAGE, cursor });
		for (const session of page.data) {
			const conversation = readConversation(source, sourceTenant, session);
			if (conversation instanceof LabelError) {
				yield { external_id: session.external_id, stored: 0, skipped: 0, error: conversation };
				continue;
			}
			const { stored, skipped, error } = target.storeConversation(targetTenant.id, conversation);
			yield { external_id: session.external_id, stored, skipped, error };
		}
		cursor = page.next_cursor ?? undefined;
	} while (cursor !== undefined);
}

/** The stored session as a conversation to store; an error when its text was not kept. */
function readConversation(source: Sessions, tenant: TenantRecord, session: ReturnType<Sessions["get"]>): NamedConversation | LabelError {
	const messages: NamedConversation["messages"][number][] = [];
	for (const { role, content, external_id, created_at } of source.messages({ tenant_id: tenant.id, session_id: session.id })) {
		if (content === null)
			return new LabelError("invalid_record", `session ${JSON.stringify(session.external_id)} was stored without content and can not be labelled anew`);
		messages.push({ role, content, external_id, created_at });
	}
	const { external_id, end_user_external_id, title, started_at } = session;
	return { external_id, end_user_external_id, title, started_at, messages };
}
