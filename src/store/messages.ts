import type Database from "better-sqlite3";
import { MAX_TURNS, type MessageFilter, type MessageIdentity, type MessageRow, type MessageStore, type TurnColumns } from "../services/ports.js";
import { R_LEVELS, ROLES, type Role, SIGNALS } from "../types.js";

const INSERTED = [
	"id",
	"role",
	"content_hash",
	"external_id",
	"created_at",
	"prs",
	"r_level",
	...SIGNALS,
	"session_srs",
	"session_r_level",
	"coverage",
	"scorer_version_id",
	"language",
	"imminence",
	"evidence",
	"content",
];
/** Rows of one INSERT: 20 are 45% faster than one, 100 no faster (measured). */
const ROWS = 20;
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
	const insertOne = database.prepare(insertSql(1));
	const insertMany = database.prepare(insertSql(ROWS));
	const identities = database
		.prepare<[number, number], [string | null, number]>("SELECT external_id, content_hash FROM messages WHERE id >= ? AND id < ? ORDER BY id")
		.raw();
	const byExternalId = database.prepare<[number, string], { turn: number; content_hash: number }>(
		"SELECT turn, content_hash FROM messages WHERE session_id = ? AND external_id = ?",
	);
	const anyExternalId = database.prepare<[number], number>("SELECT 1 FROM messages WHERE session_id = ? AND external_id IS NOT NULL LIMIT 1").pluck();
	const byId = database.prepare<[number], Raw>(`${SELECT} WHERE m.id = ?`).raw();
	const truncate = database.prepare<[number, number]>("DELETE FROM messages WHERE id >= ? AND id < ?");
	const values: unknown[] = new Array(ROWS * INSERTED.length);

	return {
		insert(columns, slices, options) {
			let filled = 0;
			for (const { session_id, turn, start, end } of slices) {
				for (let i = start; i < end; i++) {
					filled = bindTurn(values, filled, messageId(session_id, turn + i - start), columns, i, options);
					if (filled === values.length) {
						insertMany.run(values);
						filled = 0;
					}
				}
			}
			for (let from = 0; from < filled; from += INSERTED.length) insertOne.run(values.slice(from, from + INSERTED.length));
		},
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

/** Exact in a double up to 2^33 sessions. */
function messageId(sessionId: number, turn: number): number {
	return sessionId * MAX_TURNS + turn;
}

function insertSql(rows: number): string {
	const row = `(${INSERTED.map(() => "?").join(", ")})`;
	return `INSERT INTO messages (${INSERTED.join(", ")}) VALUES ${Array.from({ length: rows }, () => row).join(", ")}`;
}

/** Writes one turn's values in the order of `INSERTED` from place `at` on; returns the place after them. */
function bindTurn(
	values: unknown[],
	at: number,
	id: number,
	columns: TurnColumns,
	i: number,
	options: { scorerVersionId: number; keepContent: boolean },
): number {
	let k = at;
	const createdAt = columns.created_at[i] as number;
	values[k++] = id;
	values[k++] = columns.role[i];
	values[k++] = columns.content_hash[i];
	values[k++] = columns.external_id[i];
	values[k++] = Number.isNaN(createdAt) ? null : createdAt;
	values[k++] = columns.prs[i];
	values[k++] = columns.r_level[i];
	const scores = i * SIGNALS.length;
	for (let signal = 0; signal < SIGNALS.length; signal++) values[k++] = columns.scores[scores + signal];
	values[k++] = columns.session_srs[i];
	values[k++] = columns.session_r_level[i];
	values[k++] = columns.coverage[i];
	values[k++] = options.scorerVersionId;
	values[k++] = columns.language[i];
	values[k++] = columns.imminence[i];
	values[k++] = columns.evidence[i];
	values[k++] = options.keepContent ? columns.content[i] : null;
	return k;
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
