import type Database from "better-sqlite3";
import type { MessageFilter, MessageIdentity, MessageRow, MessageStore } from "../services/ports.js";
import { R_LEVELS, ROLES, type Role, SIGNALS } from "../types.js";
import { createMessageInsert, messageId } from "./insert-messages.js";

/** Messages of one page of `iterate`. */
const PAGE = 1000;

const READ = [
	"id",
	"session_id",
	"turn",
	"external_id",
	"role",
	"content",
	"created_at",
	"prs",
	"r_level",
	"session_srs",
	"session_r_level",
	"imminence",
	"evidence",
	"language",
	"coverage",
	"scorer_version_id",
	...SIGNALS,
];
const SELECT = `SELECT s.external_id, u.external_id, ${READ.map((column) => `m.${column}`).join(", ")}
	FROM messages m JOIN sessions s ON s.id = m.id >> 20 JOIN end_users u ON u.id = s.end_user_id`;

/** A row of `SELECT`, in its order. */
type Raw = [
	string,
	string,
	number,
	number,
	number,
	string | null,
	number,
	string | null,
	number | null,
	number,
	number,
	number,
	number,
	string | null,
	string | null,
	string,
	number,
	number,
	...number[],
];

/** The table `messages`. */
export function createMessageStore(database: Database.Database): MessageStore {
	const identities = database
		.prepare<[number, number], [string | null, number]>("SELECT external_id, content_hash FROM messages WHERE id >= ? AND id < ? ORDER BY id")
		.raw();
	const byExternalId = database.prepare<[number, string], { turn: number; content_hash: number }>(
		"SELECT turn, content_hash FROM messages WHERE session_id = ? AND external_id = ?",
	);
	const anyExternalId = database.prepare<[number], number>("SELECT 1 FROM messages WHERE session_id = ? AND external_id IS NOT NULL LIMIT 1").pluck();
	const byId = database.prepare<[number], Raw>(`${SELECT} WHERE m.id = ?`).raw();
	const truncate = database.prepare<[number, number]>("DELETE FROM messages WHERE id >= ? AND id < ?");

	return {
		insert: createMessageInsert(database),
		*identities(sessionId, fromTurn): Generator<MessageIdentity> {
			for (const [external_id, content_hash] of identities.iterate(messageId(sessionId, fromTurn), messageId(sessionId + 1, 0)))
				yield { external_id, content_hash };
		},
		findByExternalId: (sessionId, externalId) => byExternalId.get(sessionId, externalId) ?? null,
		hasExternalIds: (sessionId) => anyExternalId.get(sessionId) !== undefined,
		get(sessionId, turn) {
			const row = byId.get(messageId(sessionId, turn));
			return row === undefined ? null : toRow(row);
		},
		*iterate(filter) {
			const { where, values: filterValues } = conditions(filter);
			const page = database.prepare<unknown[], Raw>(`${SELECT} WHERE m.id > ? AND ${where} ORDER BY m.id LIMIT ${PAGE}`).raw();
			let after = filter.session_id === undefined ? -1 : messageId(filter.session_id, 0) - 1;
			for (;;) {
				const rows = page.all(after, ...filterValues);
				for (const row of rows) yield toRow(row);
				const last = rows.at(-1);
				if (last === undefined || rows.length < PAGE) return;
				after = last[2];
			}
		},
		truncate: (sessionId, fromTurn) => void truncate.run(messageId(sessionId, fromTurn), messageId(sessionId + 1, 0)),
	};
}

function toRow(raw: Raw): MessageRow {
	const [
		session_external_id,
		end_user_external_id,
		id,
		session_id,
		turn,
		external_id,
		role,
		content,
		created_at,
		prs,
		r_level,
		session_srs,
		session_r_level,
		imminence,
		evidence,
		language,
		coverage,
		scorer_version_id,
		...scores
	] = raw;
	return {
		id,
		session_id,
		turn,
		session_external_id,
		end_user_external_id,
		external_id,
		role: ROLES[role] as Role,
		content,
		created_at,
		scores,
		prs,
		r_level,
		session_srs,
		session_r_level,
		imminence,
		evidence,
		language,
		coverage,
		scorer_version_id,
	};
}

/** The filter as SQL. Ranges of ids, not the computed columns, so that the primary key is used. */
function conditions(filter: MessageFilter): { where: string; values: (string | number)[] } {
	const parts = ["s.tenant_id = ?"];
	const values: (string | number)[] = [filter.tenant_id];
	const add = (sql: string, value: string | number | undefined) => {
		if (value === undefined) return;
		parts.push(sql);
		values.push(value);
	};
	add("m.id < ?", filter.session_id === undefined ? undefined : messageId(filter.session_id + 1, 0));
	add("u.external_id = ?", filter.end_user_external_id);
	add("m.r_level >= ?", filter.r_level && R_LEVELS.indexOf(filter.r_level));
	add("s.r_level >= ?", filter.session_r_level && R_LEVELS.indexOf(filter.session_r_level));
	add("coalesce(m.created_at, s.last_message_at) >= ?", filter.since);
	add("coalesce(m.created_at, s.last_message_at) < ?", filter.until);
	return { where: parts.join(" AND "), values };
}
