import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { BINARY, cleanEnv } from "../helpers/run-label.js";

/** 200 kills of runs that score take half an hour. */
const IS_LONG = process.env.LABEL_LONG_TESTS !== undefined;
const KILLS = IS_LONG ? 200 : 10;
/** After this many kills the run is left to finish, and its database is compared. */
const KILLS_A_DATABASE = IS_LONG ? 4 : 10;
const SCORING = IS_LONG ? [] : ["--scorer", "none"];
const FILE_BYTES = 20e6;
/** Sessions whose messages stand far apart in the file. */
const OPEN_SESSIONS = 3_000;
/** The messages of a session: an id holds the session and the turn (docs/database.md). */
const OF_SESSION = "m.id >= s.id << 20 AND m.id < (s.id + 1) << 20";

const folder = mkdtempSync(join(tmpdir(), "label-killed-"));
const input = join(folder, "big.jsonl");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Half conversations a line, half messages of sessions that take turns. */
function writeInput(): void {
	const file = openSync(input, "w");
	const words = "i feel hopeless today and nobody at work asks why so we talk about bread trains and rain".split(" ");
	const content = (seed: number): string => Array.from({ length: 80 }, (_, at) => words[(seed * 31 + at * (1 + (seed % 5))) % words.length]).join(" ");
	const time = (number: number): string => new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();
	let size = 0;
	for (let number = 0; size < FILE_BYTES; number++) {
		const turns = Array.from({ length: 10 }, (_, turn) => ({
			role: turn % 2 === 0 ? "user" : "assistant",
			content: content(number + turn),
			created_at: time(number),
		}));
		const whole = JSON.stringify({ id: `whole-${number}`, messages: turns });
		const pieces = turns.map((message, turn) => JSON.stringify({ session_id: `piece-${(number * 10 + turn) % OPEN_SESSIONS}`, ...message }));
		size += writeSync(file, `${[whole, ...pieces].join("\n")}\n`);
	}
	closeSync(file);
}

function start(db: string): ChildProcess {
	return spawn(process.execPath, [BINARY, "run", input, "--db", db, "-q", ...SCORING], { env: cleanEnv(), stdio: ["ignore", "ignore", "pipe"] });
}

async function finish(db: string): Promise<void> {
	const [status] = await once(start(db), "exit");
	expect(status).toBe(0);
}

/** Every row of every table that a run fills, ids and all, as a hash. */
function contentOf(db: string): { turns: number; hash: string } {
	const database = new Database(db, { readonly: true });
	const hash = createHash("sha256");
	for (const table of ["end_users", "sessions", "messages"]) {
		for (const row of database.prepare(`SELECT * FROM ${table} ORDER BY id`).raw().iterate()) hash.update(JSON.stringify(row));
	}
	const turns = database.prepare("SELECT count(*) FROM messages").pluck().get() as number;
	database.close();
	return { turns, hash: hash.digest("hex") };
}

/** What must hold at every moment: a sound file, every session as long as it says, its turns without a gap. */
function checkSound(db: string): void {
	const database = new Database(db);
	expect(database.pragma("quick_check", { simple: true })).toBe("ok");
	if (database.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'messages'").pluck().get() === 1) {
		const lengths = `SELECT s.message_count, count(m.id) AS stored, max(m.turn) AS last FROM sessions s LEFT JOIN messages m ON ${OF_SESSION} GROUP BY s.id`;
		expect(database.prepare(`SELECT count(*) FROM (${lengths}) WHERE message_count <> stored OR last <> stored - 1`).pluck().get()).toBe(0);
	}
	database.close();
}

let undisturbed: { turns: number; hash: string };
let duration: number;

beforeAll(async () => {
	writeInput();
	const begun = performance.now();
	await finish(join(folder, "undisturbed.db"));
	duration = performance.now() - begun;
	undisturbed = contentOf(join(folder, "undisturbed.db"));
	expect(undisturbed.turns).toBeGreaterThan(20_000);
}, 300_000);

test(`killed at ${KILLS} random moments and run again, it is the database of an undisturbed run`, async () => {
	let kills = 0;
	for (let number = 0; kills < KILLS; number++) {
		const db = join(folder, `killed-${number}.db`);
		for (let each = 0; each < KILLS_A_DATABASE; each++) {
			const child = start(db);
			const gone = once(child, "exit");
			await sleep(Math.random() * duration);
			child.kill("SIGKILL");
			await gone;
			kills++;
			if (existsSync(db)) checkSound(db);
		}
		await finish(db);
		expect(contentOf(db)).toEqual(undisturbed);
		rmSync(db);
	}
}, 7_200_000);

/** Waits until a run has opened its database. */
async function opened(db: string): Promise<void> {
	while (!existsSync(`${db}-wal`)) await sleep(20);
	await sleep(100);
}

test("Ctrl-C ends it with 130 and a word of what to do; what is stored is whole", async () => {
	const db = join(folder, "interrupted.db");
	const child = start(db);
	onTestFinished(() => void child.kill("SIGKILL"));
	let stderr = "";
	child.stderr?.on("data", (chunk) => {
		stderr += chunk;
	});
	await opened(db);
	child.kill("SIGINT");
	expect(await once(child, "close")).toEqual([130, null]);
	expect(stderr).toContain("the same command goes on from there");
	checkSound(db);
});

test("Ctrl-C while it waits for standard input ends it at once", async () => {
	const db = join(folder, "waiting.db");
	const child = spawn(process.execPath, [BINARY, "run", "-", "--db", db, "-q"], { env: cleanEnv(), stdio: ["pipe", "ignore", "ignore"] });
	onTestFinished(() => void child.kill("SIGKILL"));
	const closed = once(child, "close");
	child.stdin.write('{"id":"a","turns":[{"role":"user","content":"hi"}]}\n');
	await opened(db);
	child.kill("SIGINT");
	expect(await closed).toEqual([130, null]);
});

test("a reader that goes away is no failure", async () => {
	const child = spawn(process.execPath, [BINARY, "run", input, "--db", "none", "--stdout", "-q", "--scorer", "none"], {
		env: cleanEnv(),
		cwd: folder,
		stdio: ["ignore", "pipe", "pipe"],
	});
	const closed = once(child, "close");
	let stderr = "";
	child.stderr.on("data", (chunk) => {
		stderr += chunk;
	});
	await once(child.stdout, "data");
	child.stdout.destroy();
	expect(await closed).toEqual([0, null]);
	expect(stderr).toBe("");
});
