import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import zlib, { gzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../helpers/run-cli.js";
import { fromJsonl, type LabelResult, runLabel } from "../helpers/run-label.js";
import { tempDir } from "../helpers/temp-dir.js";

interface Message {
	role: string;
	content: string;
	created_at: string;
}
interface Conversation {
	external_id: string;
	end_user_external_id: string;
	messages: Message[];
}

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 9, minute)).toISOString();

/** Two sessions whose labels are not all alike, with what CSV has to quote. */
const CHATS: Conversation[] = [
	{
		external_id: "kitchen",
		end_user_external_id: "ana",
		messages: [
			{ role: "user", content: 'my cake, the "big" one, fell', created_at: at(0) },
			{ role: "assistant", content: "Oh no.\nDid the oven door open?", created_at: at(1) },
			{ role: "user", content: "yes 🙂", created_at: at(2) },
		],
	},
	{
		external_id: "night",
		end_user_external_id: "ben",
		messages: [
			{ role: "user", content: "i feel hopeless", created_at: at(0) },
			{ role: "assistant", content: "What happened?", created_at: at(1) },
			{ role: "user", content: "i want to kill myself tonight", created_at: at(2) },
			{ role: "user", content: "=1+1; nothing else", created_at: at(3) },
		],
	},
];

const jsonl = (records: readonly unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const messages = CHATS.flatMap(({ external_id, end_user_external_id, messages: all }) =>
	all.map((message) => ({ session_id: external_id, end_user_external_id, ...message })),
);
/** The same messages, the sessions taking turns. */
const interleaved = [...messages].sort((left, right) => left.created_at.localeCompare(right.created_at));
const csv = (delimiter: string): string => {
	const cell = (value: string): string => (/["\n\t;,]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
	const columns = ["session_id", "end_user_external_id", "role", "content", "created_at"] as const;
	return [columns.join(delimiter), ...messages.map((message) => columns.map((name) => cell(message[name])).join(delimiter))].join("\r\n");
};
const sharegpt = CHATS.map(({ external_id, end_user_external_id, messages: all }) => ({
	conversation_id: external_id,
	user_id: end_user_external_id,
	conversations: all.map(({ role, content, created_at }) => ({ from: role === "user" ? "human" : "gpt", value: content, timestamp: created_at })),
}));
const turns = CHATS.map(({ external_id: session_id, end_user_external_id: user_id, messages: all }) => ({ session_id, user_id, turns: all }));
const parts = CHATS.map((chat) => ({
	...chat,
	messages: chat.messages.map((message) => ({ ...message, content: [{ type: "text", text: message.content }] })),
}));

const FLAGS = ["--db", "none", "--stdout", "-q", "--model", "none"];

/** Label rows by session and turn. */
async function rowsOf(input: string | Buffer, ...flags: string[]): Promise<Record<string, unknown>[]> {
	const path = join(tempDir(), "chats.txt");
	writeFileSync(path, input);
	return rows(await runCli(["run", path, ...FLAGS, ...flags]));
}

function rows({ status, stdout, stderr }: LabelResult): Record<string, unknown>[] {
	expect(stderr).toBe("");
	expect(status).toBe(0);
	return sorted(fromJsonl(stdout));
}
const rowsOfProcess = async (args: readonly string[], options: { cwd?: string; stdin?: string | Buffer }) =>
	rows(await runLabel(["run", ...args, ...FLAGS], options));
const sorted = (rows: Record<string, unknown>[]): Record<string, unknown>[] =>
	rows.sort((left, right) => String(left.session_external_id).localeCompare(String(right.session_external_id)) || Number(left.turn) - Number(right.turn));

describe("the same conversations give the same labels", () => {
	let expected: Record<string, unknown>[];
	beforeAll(async () => {
		expected = await rowsOfProcess(["-"], { stdin: jsonl(CHATS) });
	});

	test("and they are labelled", () => {
		expect(expected.map(({ session_external_id, turn, role, content }) => ({ session_external_id, turn, role, content }))).toEqual(
			CHATS.flatMap(({ external_id, messages: all }) => all.map(({ role, content }, turn) => ({ session_external_id: external_id, turn, role, content }))),
		);
		const levels = expected.map(({ session_r_level }) => session_r_level);
		expect(levels.slice(0, 3)).toEqual(["R0", "R0", "R0"]);
		expect(levels[5]).toBe("R2");
	});

	test.each<[string, string | Buffer]>([
		["a message a line", jsonl(messages)],
		["messages of sessions that take turns", jsonl(interleaved)],
		["turns, session_id, user_id", jsonl(turns)],
		["ShareGPT", jsonl(sharegpt)],
		["content as parts", jsonl(parts)],
		["one JSON array", JSON.stringify(CHATS, null, 2)],
		["a list in an object", JSON.stringify({ conversations: CHATS })],
		["CSV", csv(",")],
		["TSV", csv("\t")],
		["CSV with semicolons", csv(";")],
		["gzip", gzipSync(csv(","))],
		["UTF-8 with a mark and CRLF", `\ufeff${jsonl(CHATS).replaceAll("\n", "\r\n")}`],
		["UTF-16 with a mark", Buffer.from(`\ufeff${csv(",")}`, "utf16le")],
		["UTF-16 without a mark", Buffer.from(jsonl(CHATS), "utf16le")],
		["no line break at the end", jsonl(CHATS).trimEnd()],
		["empty lines everywhere", `\n\n${jsonl(messages).replaceAll("\n", "\n\n \n")}`],
	])("%s", async (_name, input) => {
		expect(await rowsOf(input)).toEqual(expected);
	});

	test("gzip from standard input", async () => {
		expect(await rowsOfProcess(["-"], { stdin: gzipSync(jsonl(messages)) })).toEqual(expected);
	});

	test("a folder, a glob, threads, and --db with --out and with export", async () => {
		const folder = tempDir();
		mkdirSync(join(folder, "in", "deep"), { recursive: true });
		writeFileSync(join(folder, "in", "one.jsonl"), jsonl(CHATS.slice(0, 1)));
		writeFileSync(join(folder, "in", "deep", "two.txt"), jsonl(CHATS.slice(1)));
		expect(await rowsOfProcess(["in/**/*.*", "--workers", "2"], { cwd: folder })).toEqual(expected);
		const [db, out] = [join(folder, "a.db"), join(folder, "rows.jsonl")];
		await runCli(["run", join(folder, "in"), "--db", db, "--out", out, "-q", "--model", "none"]);
		expect(sorted(fromJsonl(readFileSync(out, "utf8")))).toEqual(expected);
		expect(rows(await runCli(["export", "--db", db, "-q"]))).toEqual(expected);
	});

	test("other names and other roles, with --map and --role-map", async () => {
		const other = messages.map(({ session_id, end_user_external_id, role, content, created_at }) => ({
			thread: session_id,
			who: end_user_external_id,
			kind: role === "user" ? "Besucher" : "helpdesk",
			words: content,
			created_at,
		}));
		const flags = ["--map", "session_id=thread,end_user_external_id=who,role=kind,content=words", "--role-map", "besucher=user,helpdesk=assistant"];
		expect(await rowsOf(jsonl(other), ...flags)).toEqual(expected);
	});

	test("--sort-by created_at", async () => {
		const reversed = CHATS.map((chat) => ({ ...chat, messages: [...chat.messages].reverse() }));
		expect(await rowsOf(jsonl(reversed), "--sort-by", "created_at")).toEqual(expected);
	});
});

test("names that are missing are made: file and record, and the end user", async () => {
	const nameless = jsonl(CHATS.map(({ messages: all }) => ({ messages: all })));
	const ids = (all: Record<string, unknown>[]): unknown[] => [
		...new Set(all.map(({ session_external_id, end_user_external_id }) => `${session_external_id} ${end_user_external_id}`)),
	];
	expect(ids(await rowsOf(nameless))).toEqual(["chats.txt#1 unknown", "chats.txt#2 unknown"]);
	expect(ids(await rowsOfProcess(["-", "--end-user", "me"], { stdin: nameless }))).toEqual(["stdin#1 me", "stdin#2 me"]);
});

test("parts that are no text are noted, and what a model thinks is left out", async () => {
	const content = [
		{ type: "text", text: "look" },
		{ type: "image_url", image_url: { url: "data:..." } },
	];
	const answer = [
		{ type: "thinking", thinking: "hm" },
		{ type: "text", text: "nice" },
	];
	const labelled = await rowsOf(
		jsonl([
			{
				id: "x",
				messages: [
					{ role: "user", content },
					{ role: "assistant", content: answer },
				],
			},
		]),
	);
	expect(labelled.map((row) => row.content)).toEqual(["look\n[image]", "nice"]);
});

test("requests and answers of OpenAI's Batch API are one session each, in one run of both files and in a second", async () => {
	const folder = tempDir();
	const request = (id: string, content: string) => ({
		custom_id: id,
		method: "POST",
		url: "/v1/chat/completions",
		body: { messages: [{ role: "user", content }] },
	});
	const answer = (id: string, content: string) => ({
		custom_id: id,
		response: { body: { id: `chatcmpl-${id}`, choices: [{ message: { role: "assistant", content } }] } },
		error: null,
	});
	const files = { "1-requests.jsonl": [request("a", "hi"), request("b", "hello")], "2-answers.jsonl": [answer("b", "good day"), answer("a", "yes?")] };
	const paths = Object.entries(files).map(([name, records]) => {
		writeFileSync(join(folder, name), records.map((record) => `${JSON.stringify(record)}\n`).join(""));
		return join(folder, name);
	});
	const db = join(folder, "a.db");
	for (const stored of [4, 0]) {
		const { status, stdout } = await runCli(["run", ...paths, "--db", db, "--json", "-q", "--scorer", "none"]);
		expect(status).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({ stored, skipped: 4 - stored, sessions: 2 });
	}
	const database = new Database(db, { readonly: true });
	const turns = database.prepare("SELECT session_external_id || ' ' || role || ' ' || content FROM turns ORDER BY session_external_id, turn").pluck().all();
	database.close();
	expect(turns).toEqual(["a user hi", "a assistant yes?", "b user hello", "b assistant good day"]);
	// The answers alone, on a later day, and once more.
	await runCli(["run", paths[0] as string, "--db", `${db}2`, "-q", "--scorer", "none"]);
	for (const stored of [2, 0]) {
		const { stdout } = await runCli(["run", paths[1] as string, "--append", "--db", `${db}2`, "--json", "-q", "--scorer", "none"]);
		expect(JSON.parse(stdout)).toMatchObject({ stored, skipped: 2 - stored });
	}
});

test("zstd is read where Node has it; elsewhere the message says what to do", async () => {
	const path = join(tempDir(), "a.jsonl.zst");
	// {"id":"a","turns":[{"role":"user","content":"hi"}]}
	writeFileSync(path, Buffer.from("KLUv/QRYoQEAeyJpZCI6ImEiLCJ0dXJucyI6W3sicm9sZSI6InVzZXIiLCJjb250ZW50IjoiaGkifV19CuKk5Mw=", "base64"));
	const { status, stdout, stderr } = await runCli(["run", path, "--db", `${path}.db`, "--json", "-q", "--scorer", "none"]);
	if ("createZstdDecompress" in zlib) expect(JSON.parse(stdout)).toMatchObject({ stored: 1 });
	else expect({ status, stderr }).toEqual({ status: 4, stderr: expect.stringContaining("zstd -d") });
});
