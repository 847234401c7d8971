import Database from "better-sqlite3";
import { LabelError } from "../errors.js";
import type { SessionHead, SessionQuery, SessionRecord, SessionStore } from "../services/ports.js";
import { R_LEVELS, type RLevel } from "../types.js";

const SELECT = `SELECT s.id, s.tenant_id, s.external_id, s.end_user_id, u.external_id AS end_user_external_id, s.title, s.started_at, s.last_message_at, s.r_level, s.srs, s.status, s.message_count
	FROM sessions s JOIN end_users u ON u.id = s.end_user_id`;
type Row = Omit<SessionRecord, "r_level"> & { r_level: number };

const HEAD = "SELECT id, message_count, started_at, last_message_at, state FROM sessions";
const ORDER_VALUE = { recent: "s.last_message_at", risk: "coalesce(s.srs, -1)" } as const;

/** The tables `sessions` and `end_users`. */
export function createSessionStore(database: Database.Database): SessionStore {
	const findEndUser = database.prepare<[number, string], number>("SELECT id FROM end_users WHERE tenant_id = ? AND external_id = ?").pluck();
	const insertEndUser = database.prepare<[number, string]>("INSERT INTO end_users (tenant_id, external_id) VALUES (?, ?)");
	const insert = database.prepare(
		"INSERT INTO sessions (tenant_id, end_user_id, external_id, title, started_at, last_message_at, message_count, srs, r_level, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	);
	const findHead = database.prepare<[number, string], SessionHead>(`${HEAD} WHERE tenant_id = ? AND external_id = ?`);
	const getHead = database.prepare<[number, number], SessionHead>(`${HEAD} WHERE tenant_id = ? AND id = ?`);
	const find = database.prepare<[number, string], Row>(`${SELECT} WHERE s.tenant_id = ? AND s.external_id = ?`);
	const get = database.prepare<[number, number], Row>(`${SELECT} WHERE s.tenant_id = ? AND s.id = ?`);
	const update = database.prepare("UPDATE sessions SET message_count = ?, last_message_at = ?, state = ?, srs = ?, r_level = ? WHERE id = ?");
	const lists = new Map<string, Database.Statement<unknown[], Row>>();

	return {
		endUser: (tenantId, externalId) => findEndUser.get(tenantId, externalId) ?? Number(insertEndUser.run(tenantId, externalId).lastInsertRowid),
		insert(session) {
			const { tenant_id, end_user_id, external_id, title, started_at, last_message_at, message_count, srs, r_level, state } = session;
			try {
				return Number(insert.run(tenant_id, end_user_id, external_id, title, started_at, last_message_at, message_count, srs, r_level, state).lastInsertRowid);
			} catch (error) {
				if (error instanceof Database.SqliteError && error.code === "SQLITE_CONSTRAINT_UNIQUE") {
					throw new LabelError("conflict", "the tenant has a session of this external_id already", { cause: error, param: "external_id" });
				}
				throw error;
			}
		},
		findHead: (tenantId, externalId) => findHead.get(tenantId, externalId) ?? null,
		getHead: (tenantId, id) => getHead.get(tenantId, id) ?? null,
		find: (tenantId, externalId) => toRecordOrNull(find.get(tenantId, externalId)),
		get: (tenantId, id) => toRecordOrNull(get.get(tenantId, id)),
		list(query) {
			const { sql, values } = listSql(query);
			// A filter is there or it isn't: few different texts, each prepared once.
			let statement = lists.get(sql);
			if (statement === undefined) {
				statement = database.prepare<unknown[], Row>(sql);
				lists.set(sql, statement);
			}
			return statement.all(...values).map(toRecord);
		},
		update: (id, { message_count, last_message_at, state, srs, r_level }) => void update.run(message_count, last_message_at, state, srs, r_level, id),
	};
}

function listSql(query: SessionQuery): { sql: string; values: (string | number)[] } {
	const parts = ["s.tenant_id = ?"];
	const values: (string | number)[] = [query.tenant_id];
	const add = (sql: string, ...added: (string | number)[]) => {
		parts.push(sql);
		values.push(...added);
	};
	const value = ORDER_VALUE[query.order];
	if (query.end_user_external_id !== undefined)
		add("s.end_user_id = (SELECT id FROM end_users WHERE tenant_id = ? AND external_id = ?)", query.tenant_id, query.end_user_external_id);
	if (query.r_level !== undefined) add("s.r_level >= ?", R_LEVELS.indexOf(query.r_level));
	if (query.since !== undefined) add("s.last_message_at >= ?", query.since);
	if (query.until !== undefined) add("s.last_message_at < ?", query.until);
	if (query.text !== undefined) {
		const pattern = `%${query.text.replace(/[\\%_]/g, "\\$&")}%`;
		const contains = (column: string) => `${column} LIKE ? ESCAPE '\\'`;
		add(
			`(${contains("s.external_id")} OR ${contains("s.title")} OR EXISTS (SELECT 1 FROM messages m WHERE m.id >= s.id << 20 AND m.id < (s.id + 1) << 20 AND ${contains("m.content")}))`,
			pattern,
			pattern,
			pattern,
		);
	}
	if (query.after !== undefined) add(`(${value}, s.id) < (?, ?)`, query.after.value, query.after.id);
	values.push(query.limit);
	return { sql: `${SELECT} WHERE ${parts.join(" AND ")} ORDER BY ${value} DESC, s.id DESC LIMIT ?`, values };
}

function toRecord(row: Row): SessionRecord {
	return { ...row, r_level: R_LEVELS[row.r_level] as RLevel };
}

function toRecordOrNull(row: Row | undefined): SessionRecord | null {
	return row === undefined ? null : toRecord(row);
}
