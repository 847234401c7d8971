import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { openTestServices } from "../helpers/open-test-store.js";

const text = readFileSync(new URL("../../docs/database.md", import.meta.url), "utf8");

/** The columns that the document lists for each table and view, with their types, in order. */
function documented(): Map<string, string[]> {
	const sections = text.split(/^## /m).slice(1);
	const found = new Map<string, string[]>();
	for (const section of sections) {
		const name = /^(?:Table|View) `(\w+)`/.exec(section)?.[1];
		if (name !== undefined)
			found.set(
				name,
				[...section.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, column, type]) => `${column} ${type}`),
			);
	}
	return found;
}

/** A database with something in every table. */
function openFilled(): Database.Database {
	const { sessions, tenantId, store } = openTestServices();
	const message = (content: string) => ({ role: "user" as const, content, external_id: content, created_at: 1_000 });
	sessions.storeConversation(tenantId, {
		external_id: "s",
		end_user_external_id: "u",
		title: "t",
		started_at: 0,
		messages: [message("doomed"), message("fine")],
	});
	sessions.create(tenantId, { external_id: "empty", end_user_external_id: "u" });
	return new Database(store.path, { readonly: true });
}

describe("docs/database.md", () => {
	it("names every table and view with every column and its type, and no other", () => {
		const database = openFilled();
		const names = database.prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'").pluck().all() as string[];
		const doc = documented();
		expect([...doc.keys()].sort()).toEqual(names.sort());
		for (const name of names) {
			const columns = database.prepare("SELECT name, type FROM pragma_table_xinfo(?)").all(name) as { name: string; type: string }[];
			expect(
				doc.get(name)?.map((line) => line.split(" ")[0]),
				name,
			).toEqual(columns.map((column) => column.name));
			const row = database.prepare(`SELECT * FROM ${name} LIMIT 1`).get() as Record<string, unknown>;
			for (const line of doc.get(name) ?? []) {
				const [column, type] = line.split(" ") as [string, string];
				const value = row[column];
				const actual = typeof value === "string" ? "text" : value === null ? type : type === "real" ? "real" : "integer";
				expect(actual, `${name}.${column}`).toBe(type);
			}
		}
		database.close();
	});

	it("shows queries that run", () => {
		const database = openFilled();
		const queries = [...text.matchAll(/^sqlite3 label\.db (['"])(.+)\1$/gm)].map(([, , sql]) => sql as string);
		expect(queries.length).toBeGreaterThan(1);
		for (const sql of queries) expect(database.prepare(sql).all().length).toBeGreaterThan(0);
		database.close();
	});
});

describe("the views", () => {
	it("speak in words, with one column a signal and one an imminence field", () => {
		const database = openFilled();
		const [first, second] = database.prepare("SELECT * FROM turns ORDER BY message_id").all() as Record<string, unknown>[];
		expect(first).toMatchObject({
			tenant: "acme",
			session_external_id: "s",
			end_user_external_id: "u",
			turn: 0,
			role: "user",
			created_at: "1970-01-01T00:00:01.000Z",
			content: "doomed",
			r_level: "R2",
			suicidal_ideation: 0.9,
			imminence_level: "urgent",
			imminence_plan: "vague",
			imminence_preparation: 1,
			imminence_intent: "none",
			imminence_history: 0,
			imminence_since: '{"plan":0}',
			session_r_level: "R2",
			coverage: "full",
			scorer_version: "fake 1 000000000000 none",
		});
		expect(second).toMatchObject({ turn: 1, r_level: "R0", session_srs: 0.9, session_r_level: "R2", evidence: "[]" });
		expect(
			database.prepare("SELECT session_external_id, r_level, srs, imminence_level, riskiest_turn, message_count FROM session_risk ORDER BY session_id").all(),
		).toEqual([
			{ session_external_id: "s", r_level: "R2", srs: 0.9, imminence_level: "urgent", riskiest_turn: 0, message_count: 2 },
			{ session_external_id: "empty", r_level: "R0", srs: null, imminence_level: null, riskiest_turn: null, message_count: 0 },
		]);
		database.close();
	});

	it("find one session's turns by the primary key, from either side", () => {
		const database = openFilled();
		const plan = (sql: string) => JSON.stringify(database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
		for (const condition of ["session_id = 1", "session_external_id = 's' AND tenant = 'acme'"]) {
			expect(plan(`SELECT content FROM turns WHERE ${condition}`)).toMatch(/SEARCH m USING INTEGER PRIMARY KEY/);
		}
		database.close();
	});
});
