import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { createTenants } from "../../src/services/tenants.js";
import { openStore } from "../../src/store/open-store.js";
import { exitOf, firstLine, startChild } from "../helpers/child.js";
import { createFakeScorer } from "../helpers/fake-scorer.js";
import { tempDir } from "../helpers/temp-dir.js";

function newDatabase(): { db: string; key: string } {
	const db = join(tempDir(), "label.db");
	const store = openStore(db);
	const key = createTenants({ store }).create("acme").api_key;
	store.close();
	return { db, key };
}

async function post(url: string, key: string, path: string, body: unknown): Promise<{ status: number; body: { id: number; prs: number } }> {
	const response = await fetch(`${url}/api/v1${path}`, {
		method: "POST",
		headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
		body: JSON.stringify(body),
	});
	return { status: response.status, body: (await response.json()) as { id: number; prs: number } };
}

/** Every session's turns must be numbered without a gap and carry the labels of one fold from the start. */
function checkFolds(db: string): number {
	const database = new Database(db, { readonly: true });
	expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
	const rows = database.prepare("SELECT session_id, turn, role, content, prs, session_srs FROM turns ORDER BY message_id").all() as {
		session_id: number;
		turn: number;
		role: "user";
		content: string;
		prs: number;
		session_srs: number;
	}[];
	const counts = database.prepare("SELECT id, message_count, srs FROM sessions").all() as { id: number; message_count: number; srs: number | null }[];
	database.close();
	const scorer = createFakeScorer();
	for (const { id, message_count, srs } of counts) {
		const turns = rows.filter((row) => row.session_id === id);
		expect(turns.map(({ turn }) => turn)).toEqual(Array.from({ length: message_count }, (_, i) => i));
		let state = scorer.start();
		for (const turn of turns) {
			const step = scorer.step(state, turn);
			state = step.state;
			expect([turn.prs, turn.session_srs]).toEqual([step.label.prs, step.label.session_srs]);
		}
		expect(srs).toBe(state.srs);
	}
	return rows.length;
}

describe("durability", () => {
	it("after kill -9 under load every acknowledged turn is there, none twice, and every session goes on where it was", async () => {
		const { db, key } = newDatabase();
		const acknowledged = new Set<string>();
		const sessions: number[] = [];
		for (let round = 0; round < 4; round++) {
			const child = startChild("serve-process.ts", db);
			const url = await firstLine(child);
			while (sessions.length < 8) sessions.push((await post(url, key, "/sessions", { external_id: `s${sessions.length}`, end_user_external_id: "u" })).body.id);
			let isAlive = true;
			const clients = sessions.map(async (session, client) => {
				for (let i = 0; isAlive; i++) {
					const external_id = `${round}-${client}-${i}`;
					try {
						const answer = await post(url, key, `/sessions/${session}/messages`, { role: "user", content: i % 7 ? "hello" : "awful", external_id });
						expect(answer.status).toBe(201);
						acknowledged.add(`${session} ${external_id}`);
					} catch (error) {
						// Only the connection may break, and only because the process is gone.
						expect(error).toBeInstanceOf(TypeError);
						return;
					}
				}
			});
			await new Promise((resolve) => setTimeout(resolve, 150 + 170 * round));
			child.kill("SIGKILL");
			await exitOf(child);
			isAlive = false;
			await Promise.all(clients);
		}
		const database = new Database(db, { readonly: true });
		const stored = database.prepare("SELECT session_id || ' ' || external_id FROM messages").pluck().all() as string[];
		database.close();
		expect(acknowledged.size).toBeGreaterThan(100);
		expect(new Set(stored).size).toBe(stored.length);
		expect([...acknowledged].filter((turn) => !stored.includes(turn))).toEqual([]);
		// At most one request of each client was in flight when the process went.
		expect(stored.length - acknowledged.size).toBeLessThanOrEqual(4 * sessions.length);
		expect(checkFolds(db)).toBe(stored.length);
	});

	it("stops on SIGTERM with status 0 after the requests in flight are answered", async () => {
		const { db, key } = newDatabase();
		const child = startChild("serve-process.ts", db);
		const url = await firstLine(child);
		const { body } = await post(url, key, "/sessions", { end_user_external_id: "u" });
		const inFlight = Array.from({ length: 40 }, (_, i) => post(url, key, `/sessions/${body.id}/messages`, { role: "user", content: `m${i}` }));
		await inFlight[0];
		child.kill("SIGTERM");
		const answers = await Promise.allSettled(inFlight);
		expect(await exitOf(child)).toBe(0);
		const answered = answers.filter((answer) => answer.status === "fulfilled" && answer.value.status === 201).length;
		const refused = answers.filter((answer) => answer.status === "rejected").length;
		// A connection that was not yet accepted may be refused; whatever was answered is stored, and nothing else.
		expect(answered + refused).toBe(40);
		expect(checkFolds(db)).toBe(answered);
	});

	it("two servers and two runs on one database at once lose nothing, double nothing, and never show a lock", async () => {
		const { db, key } = newDatabase();
		const servers = [startChild("serve-process.ts", db), startChild("serve-process.ts", db)];
		const urls = await Promise.all(servers.map(firstLine));
		const [first = "", second = ""] = urls;
		const session = (await post(first, key, "/sessions", { external_id: "both", end_user_external_id: "u" })).body.id;
		const runs = ["a", "b"].map((name) => startChild("store-process.ts", db, name, "60"));
		const statuses: number[] = [];
		const clients = [first, second].flatMap((url, server) =>
			Array.from({ length: 4 }, async (_, client) => {
				for (let i = 0; i < 60; i++)
					statuses.push(
						(
							await post(url, key, `/sessions/${session}/messages`, {
								role: "user",
								content: i % 5 ? "hello" : "uneasy",
								external_id: `${server}-${client}-${i}`,
							})
						).status,
					);
			}),
		);
		await Promise.all(clients);
		expect(await Promise.all(runs.map(exitOf))).toEqual([0, 0]);
		expect(new Set(statuses)).toEqual(new Set([201]));
		expect(checkFolds(db)).toBe(2 * 4 * 60 + 2 * 60 * (20 * 3 + 1));
		for (const server of servers) server.kill("SIGTERM");
		expect(await Promise.all(servers.map(exitOf))).toEqual([0, 0]);
	});
});
