import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { BINARY, cleanEnv, runLabel } from "../helpers/run-label.js";
import { tempDir } from "../helpers/temp-dir.js";

/** A conversation a line; sessions of the same number are the same in every file. */
function writeConversations(path: string, from: number, until: number): void {
	writeFileSync(path, "");
	for (let number = from; number < until; number++) {
		const messages = Array.from({ length: 10 }, (_, turn) => ({
			role: turn % 2 === 0 ? "user" : "assistant",
			content: `turn ${turn} of ${number} ${"and so on ".repeat(8)}`,
		}));
		appendFileSync(path, `${JSON.stringify({ external_id: `s${number}`, messages })}\n`);
	}
}

async function labelRun(db: string, ...args: string[]): Promise<{ status: number | null; stored: number; skipped: number; stderr: string }> {
	const { status, stdout, stderr } = await runLabel(["run", ...args, "--db", db, "--json", "-q", "--scorer", "none"]);
	const { stored, skipped } = status === 0 ? JSON.parse(stdout) : { stored: 0, skipped: 0 };
	return { status, stored, skipped, stderr };
}

/** Number of turns; fails when a session has a gap, a turn twice, or another length than it says. */
function soundTurns(db: string): number {
	const database = new Database(db, { readonly: true });
	onTestFinished(() => void database.close());
	expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
	const rows = database
		.prepare(
			`SELECT s.message_count AS said, count(m.id) AS stored, count(DISTINCT m.content) AS different, max(m.turn) AS last
			FROM sessions s JOIN messages m ON m.id >= s.id << 20 AND m.id < (s.id + 1) << 20 GROUP BY s.id`,
		)
		.all() as { said: number; stored: number; different: number; last: number }[];
	for (const { said, stored, different, last } of rows) expect({ said, different, last }).toEqual({ said: stored, different: stored, last: stored - 1 });
	return rows.reduce((sum, { stored }) => sum + stored, 0);
}

test("three runs on one database that is not there yet, whose files overlap: each turn once, no lock shown", async () => {
	const folder = tempDir();
	const db = join(folder, "label.db");
	const files = [0, 1, 2].map((number) => {
		const path = join(folder, `${number}.jsonl`);
		writeConversations(path, number * 1000, number * 1000 + 2000);
		return path;
	});
	const runs = await Promise.all(files.map((file) => labelRun(db, file)));
	expect(runs.map(({ status, stderr }) => ({ status, stderr }))).toEqual(files.map(() => ({ status: 0, stderr: "" })));
	expect(runs.reduce((sum, { stored }) => sum + stored, 0)).toBe(40_000);
	expect(runs.reduce((sum, { skipped }) => sum + skipped, 0)).toBe(20_000);
	expect(soundTurns(db)).toBe(40_000);
});

/** A server as a user starts it. */
async function serve(db: string): Promise<{ server: ChildProcess; url: string }> {
	const server = spawn(process.execPath, [BINARY, "serve", "--db", db, "--port", "0", "--json"], { env: cleanEnv(), stdio: ["ignore", "pipe", "ignore"] });
	onTestFinished(() => void server.kill("SIGKILL"));
	const [line] = await once(createInterface(server.stdout), "line");
	return { server, url: (JSON.parse(line) as { url: string }).url };
}

/** Posts message after message to its own session and to one that the run stores too, until it is told to stop. Returns how many were acknowledged. */
async function keepPosting(url: string, key: string, name: string, isOver: () => boolean): Promise<number> {
	const post = (path: string, body: object): Promise<Response> =>
		fetch(`${url}/api/v1${path}`, {
			method: "POST",
			headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
			body: JSON.stringify(body),
		});
	const { id } = (await (await post("/sessions", { external_id: name, end_user_external_id: "u" })).json()) as { id: number };
	let acknowledged = 0;
	while (!isOver()) {
		const response = await post(`/sessions/${id}/messages`, { role: "user", content: `${name} says ${acknowledged}` });
		expect(response.status).toBe(201);
		await response.arrayBuffer();
		acknowledged++;
	}
	return acknowledged;
}

test("a run beside a busy server: every acknowledged message and every turn of the file once, no lock shown", async () => {
	const folder = tempDir();
	const db = join(folder, "label.db");
	const file = join(folder, "all.jsonl");
	writeConversations(file, 0, 4000);
	const created = await runLabel(["tenant", "create", "acme", "--db", db, "--json"]);
	const { api_key: key } = JSON.parse(created.stdout) as { api_key: string };
	const { server, url } = await serve(db);
	let isOver = false;
	const clients = Array.from({ length: 4 }, (_, number) => keepPosting(url, key, `client ${number}`, () => isOver));
	const run = await labelRun(db, file, "--tenant", "acme", "--workers", "1");
	const again = await labelRun(db, file, "--tenant", "acme", "--workers", "2");
	isOver = true;
	const acknowledged = await Promise.all(clients);
	server.kill("SIGTERM");
	await once(server, "exit");
	expect(run).toEqual({ status: 0, stored: 40_000, skipped: 0, stderr: "" });
	expect(again).toEqual({ status: 0, stored: 0, skipped: 40_000, stderr: "" });
	expect(Math.min(...acknowledged)).toBeGreaterThan(0);
	expect(soundTurns(db)).toBe(40_000 + acknowledged.reduce((sum, count) => sum + count, 0));
}, 120_000);

test("one session spread over three files keeps its order, whatever the number of workers", async () => {
	const folder = tempDir();
	const files = [0, 1, 2].map((number) => join(folder, `day-${number}.jsonl`));
	const content = (turn: number): string => `turn ${turn} ${"word ".repeat(60)}`;
	let turn = 0;
	for (const file of files) {
		const lines: string[] = [];
		for (let each = 0; each < 2000; each++, turn++) {
			for (const session of ["a", "b", "c"]) lines.push(JSON.stringify({ session_id: session, role: "user", content: `${session} ${content(turn)}` }));
		}
		writeFileSync(file, `${lines.join("\n")}\n`);
	}
	for (const workers of ["0", "1", "3"]) {
		const db = join(folder, `${workers}.db`);
		expect(await labelRun(db, ...files, "--workers", workers)).toMatchObject({ status: 0, stored: 18_000 });
		expect(await labelRun(db, ...files, "--workers", workers)).toMatchObject({ status: 0, stored: 0, skipped: 18_000 });
		const database = new Database(db, { readonly: true });
		for (const session of ["a", "b", "c"]) {
			const stored = database.prepare("SELECT content FROM turns WHERE session_external_id = ? ORDER BY turn").pluck().all(session) as string[];
			expect(stored.length).toBe(6000);
			expect(stored.every((each, at) => each === `${session} ${content(at)}`)).toBe(true);
		}
		database.close();
	}
}, 120_000);

test("what a run reads from a pipe is stored as from a file", async () => {
	const folder = tempDir();
	const file = join(folder, "all.jsonl");
	writeConversations(file, 0, 50);
	const child = spawn("sh", ["-c", `cat ${file} | "${process.execPath}" "${BINARY}" run - --db ${join(folder, "a.db")} --json -q --scorer none`], {
		env: cleanEnv(),
	});
	const [stdout] = await Promise.all([text(child.stdout), once(child, "close")]);
	expect(JSON.parse(stdout)).toMatchObject({ stored: 500, records: 50 });
});
