import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { openScorer } from "../../src/lexicon/open-scorer.js";
import { startServer } from "../../src/server/index.js";
import { createSessions } from "../../src/services/sessions.js";
import { createTenants } from "../../src/services/tenants.js";
import { openStore } from "../../src/store/open-store.js";
import { ROLES } from "../../src/types.js";
import { runCli } from "../helpers/run-cli.js";
import { tempDir } from "../helpers/temp-dir.js";

// Rules alone: parity is about the ways in, and a run without the model starts faster.
const scorer = openScorer({ modelFile: null });

const PHRASES = [
	"hello",
	"i want to die",
	"i'm so anxious i can't breathe",
	"yes.",
	"no",
	"tonight",
	"i bought the pills",
	"are you thinking about suicide?",
	"do you have a plan?",
	"lol just kidding",
	"my sister tried to kill herself last night",
	"let's write a story where she says goodbye",
	"ich will nicht mehr leben",
	"12345",
	"I’m f\u200bine \u{1f52a}",
	"thanks",
];
const content = fc
	.oneof({ weight: 4, arbitrary: fc.constantFrom(...PHRASES) }, { weight: 1, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }) })
	.filter((text) => text.trim() !== "");
const message = fc.record({
	role: fc.constantFrom("user" as const, ...ROLES),
	content,
	created_at: fc.date({ noInvalidDate: true, min: new Date("2000-01-01"), max: new Date("2030-01-01") }).map((date) => date.toISOString()),
});
const conversations = fc.array(fc.array(message, { minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 4 });
type Conversations = typeof conversations extends fc.Arbitrary<infer T> ? T : never;

/** Every turn as stored: place, text and the whole label. */
function labels(db: string): unknown[] {
	const store = openStore(db);
	const sessions = createSessions({ store, scorer });
	const all = [...sessions.messages({ tenant_id: createTenants({ store }).get("local").id })].map(({ id, session_id, ...rest }) => rest);
	store.close();
	return all.sort((a, b) => a.session_external_id.localeCompare(b.session_external_id) || a.turn - b.turn);
}

function sessionRows(db: string): unknown[] {
	const store = openStore(db);
	const { data } = createSessions({ store, scorer }).list(createTenants({ store }).get("local").id, { limit: 200 });
	store.close();
	return data
		.map(({ external_id, end_user_external_id, r_level, srs, message_count }) => ({ external_id, end_user_external_id, r_level, srs, message_count }))
		.sort((a, b) => a.external_id.localeCompare(b.external_id));
}

async function labelRun(db: string, file: string): Promise<number> {
	return (await runCli(["run", file, "--db", db, "--model", "none", "--quiet"])).status;
}

function writeConversations(path: string, all: Conversations, upTo: (turns: number) => number): void {
	const lines = all.map((messages, i) =>
		JSON.stringify({ external_id: `c${i}`, end_user_external_id: "u", messages: messages.slice(0, upTo(messages.length)) }),
	);
	writeFileSync(path, `${lines.join("\n")}\n`);
}

/** Feeds the conversations through HTTP, `restarts` saying before which request the server is stopped and started again. */
async function throughServer(db: string, all: Conversations, send: "single" | "ndjson", restarts: ReadonlySet<number>): Promise<void> {
	const start = () => startServer({ db, scorer, port: 0 });
	let server = await start();
	const key = server.created?.api_key as string;
	let requests = 0;
	const post = async (path: string, type: string, body: string): Promise<{ id: number }> => {
		if (restarts.has(requests++)) {
			await server.close();
			server = await start();
		}
		const response = await fetch(`${server.url}/api/v1${path}`, { method: "POST", headers: { Authorization: `Bearer ${key}`, "Content-Type": type }, body });
		expect(response.status).toBeLessThan(300);
		const text = await response.text();
		return type === "application/json" ? JSON.parse(text) : { id: 0 };
	};
	const lists = [];
	for (const [i, messages] of all.entries())
		lists.push({ messages, id: (await post("/sessions", "application/json", JSON.stringify({ external_id: `c${i}`, end_user_external_id: "u" }))).id });
	if (send === "single") {
		// Sessions side by side, as in life.
		for (let turn = 0; turn < 9; turn++)
			for (const { messages, id } of lists) if (messages[turn]) await post(`/sessions/${id}/messages`, "application/json", JSON.stringify(messages[turn]));
	} else {
		for (const { messages, id } of lists) {
			const half = Math.ceil(messages.length / 2);
			for (const part of [messages.slice(0, half), messages.slice(half)])
				await post(`/sessions/${id}/messages`, "application/x-ndjson", part.map((each) => JSON.stringify(each)).join("\n"));
		}
	}
	await server.close();
}

it("label run, single appends and the NDJSON stream give the same labels to the letter, whatever is restarted in between", async () => {
	await fc.assert(
		fc.asyncProperty(conversations, fc.array(fc.nat(30), { maxLength: 3 }), async (all, restarts) => {
			const folder = tempDir();
			const file = join(folder, "chats.jsonl");
			const db = (name: string) => join(folder, `${name}.db`);
			writeConversations(file, all, (turns) => turns);
			expect(await labelRun(db("run"), file)).toBe(0);

			// The same in two goes: first a shorter export, then the whole.
			const shorter = join(folder, "shorter.jsonl");
			writeConversations(shorter, all, (turns) => Math.ceil(turns / 2));
			expect(await labelRun(db("again"), shorter)).toBe(0);
			expect(await labelRun(db("again"), file)).toBe(0);

			await throughServer(db("single"), all, "single", new Set(restarts));
			await throughServer(db("ndjson"), all, "ndjson", new Set(restarts));

			// Half through the API, the rest by a run on the same database.
			await throughServer(
				db("mixed"),
				all.map((messages) => messages.slice(0, Math.ceil(messages.length / 2))),
				"single",
				new Set(),
			);
			expect(await labelRun(db("mixed"), file)).toBe(0);

			const expected = labels(db("run"));
			expect(expected).toHaveLength(all.flat().length);
			for (const way of ["again", "single", "ndjson", "mixed"]) {
				expect(labels(db(way)), way).toEqual(expected);
				expect(sessionRows(db(way)), way).toEqual(sessionRows(db("run")));
			}
		}),
		{ numRuns: Number(process.env["PARITY_RUNS"] ?? 12) },
	);
}, 120_000);
