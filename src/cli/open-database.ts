import { LabelError } from "../errors.js";
import { openScorer } from "../lexicon/open-scorer.js";
import type { TenantRecord } from "../services/ports.js";
import { createSessions, type Sessions } from "../services/sessions.js";
import { createTenants } from "../services/tenants.js";
import { openStore } from "../store/open-store.js";

/** A database opened to read results. */
export interface ReadDatabase {
	sessions: Sessions;
	tenant: TenantRecord;
	close(): void;
}

/**
 * Opens an existing database for one tenant.
 * @throws LabelError `file_not_found`, `not_found` (the tenant), `database_unreadable`
 */
export function openDatabase(db: string, tenantName: string): ReadDatabase {
	const store = openStore(db, { create: false });
	try {
		const tenant = createTenants({ store }).get(tenantName);
		// Reading needs no model: the labels are stored.
		return { sessions: createSessions({ store, scorer: openScorer({ modelFile: null }) }), tenant, close: () => store.close() };
	} catch (error) {
		store.close();
		throw error;
	}
}

/** Milliseconds of an ISO date or time; undefined when the flag is absent. @throws LabelError `usage` */
export function toTimeFlag(text: string | undefined, flag: string): number | undefined {
	if (text === undefined) return undefined;
	const time = Date.parse(text);
	if (Number.isNaN(time))
		throw new LabelError("usage", `--${flag} ${text}: write an ISO 8601 date or time, e.g. 2026-03-01 or 2026-03-01T12:00:00Z`, { param: flag });
	return time;
}
