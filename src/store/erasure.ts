import type Database from "better-sqlite3";
import type { Erased, ErasureStore } from "../services/ports.js";

/** Erasure. `secure_delete` is on for every connection, so what is deleted is overwritten with zeros; messages go with their session (trigger). */
export function createErasureStore(database: Database.Database): ErasureStore {
	const deleteSession = database.prepare<[number, number], number>("DELETE FROM sessions WHERE tenant_id = ? AND id = ? RETURNING message_count").pluck();
	const deleteOld = database
		.prepare<[number, number], number>("DELETE FROM sessions WHERE tenant_id = ? AND last_message_at < ? RETURNING message_count")
		.pluck();
	const deleteOfEndUser = database
		.prepare<[number, string], number>(
			"DELETE FROM sessions WHERE end_user_id = (SELECT id FROM end_users WHERE tenant_id = ? AND external_id = ?) RETURNING message_count",
		)
		.pluck();
	const deleteEndUser = database.prepare<[number, string]>("DELETE FROM end_users WHERE tenant_id = ? AND external_id = ?");
	const deleteIdleEndUsers = database.prepare<[number]>(
		"DELETE FROM end_users WHERE tenant_id = ? AND NOT EXISTS (SELECT 1 FROM sessions WHERE end_user_id = end_users.id)",
	);

	return {
		session(tenantId, id) {
			const erased = toErased(deleteSession.all(tenantId, id));
			if (erased.sessions > 0) deleteIdleEndUsers.run(tenantId);
			return erased;
		},
		endUser(tenantId, externalId) {
			const erased = toErased(deleteOfEndUser.all(tenantId, externalId));
			deleteEndUser.run(tenantId, externalId);
			return erased;
		},
		olderThan(tenantId, time) {
			const erased = toErased(deleteOld.all(tenantId, time));
			if (erased.sessions > 0) deleteIdleEndUsers.run(tenantId);
			return erased;
		},
		compact() {
			// The journal still holds pages with what was erased until it is truncated, before and after the rewrite.
			database.exec("VACUUM");
			database.pragma("wal_checkpoint(TRUNCATE)");
		},
	};
}

function toErased(messageCounts: readonly number[]): Erased {
	return { sessions: messageCounts.length, messages: messageCounts.reduce((sum, count) => sum + count, 0) };
}
