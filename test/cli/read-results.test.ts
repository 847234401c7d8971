import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../helpers/run-cli.js";
import { fromJsonl, runLabel } from "../helpers/run-label.js";

const folder = mkdtempSync(join(tmpdir(), "label-results-"));
const db = join(folder, "a.db");
afterAll(() => rmSync(folder, { recursive: true }));

const message = (role: string, content: string, created_at: string): object => ({ role, content, created_at });
const CHATS = [
	{
		id: "calm",
		user_id: "ana",
		title: "Bread",
		messages: [message("user", "how do i bake bread", "2026-01-05T10:00:00Z"), message("assistant", "With flour.", "2026-01-05T10:01:00Z")],
	},
	{ id: "low", user_id: "ben", messages: [message("user", "i feel hopeless\u001b[2J", "2026-02-05T10:00:00Z")] },
	{
		id: "high",
		user_id: "ben",
		messages: [message("user", "hello", "2026-03-05T10:00:00Z"), message("user", "i want to kill myself tonight", "2026-03-05T10:01:00Z")],
	},
];

beforeAll(async () => {
	writeFileSync(join(folder, "chats.jsonl"), CHATS.map((chat) => `${JSON.stringify(chat)}\n`).join(""));
	const { status } = await runCli(["run", join(folder, "chats.jsonl"), "--db", db, "-q", "--model", "none"]);
	expect(status).toBe(0);
});

describe("label sessions list", () => {
	const list = async (...flags: string[]): Promise<string[]> => {
		const { status, stdout } = await runCli(["sessions", "list", "--db", db, "--json", ...flags]);
		expect(status).toBe(0);
		return (JSON.parse(stdout).data as { external_id: string }[]).map(({ external_id }) => external_id);
	};

	test("the riskiest first; filters and orders", async () => {
		expect(await list()).toEqual(["high", "low", "calm"]);
		expect(await list("--level", "R1-mid")).toEqual(["high", "low"]);
		expect(await list("--end-user", "ben", "--order", "recent")).toEqual(["high", "low"]);
		expect(await list("--since", "2026-02-01", "--until", "2026-03-01")).toEqual(["low"]);
		expect(await list("--text", "bread")).toEqual(["calm"]);
	});

	test("pages by cursor", async () => {
		const first = JSON.parse((await runCli(["sessions", "list", "--db", db, "--json", "--limit", "2"])).stdout);
		expect(first).toMatchObject({ has_more: true, data: [{ external_id: "high" }, { external_id: "low" }] });
		expect(await list("--limit", "2", "--cursor", first.next_cursor)).toEqual(["calm"]);
	});

	test("as a table; a filter that nothing meets says so", async () => {
		const { stdout } = await runCli(["sessions", "list", "--db", db]);
		expect(stdout).toMatch(/^R2 +0\.\d{3} +\d+ +high +ben +2 +2026-03-05 10:01$/m);
		expect(await runCli(["sessions", "list", "--db", db, "--text", "zebra"])).toMatchObject({ status: 0, stdout: "", stderr: "no session\n" });
	});

	test.each([
		["--limit", "0"],
		["--limit", "many"],
		["--since", "yesterday"],
		["--level", "R3"],
		["--cursor", "nonsense"],
		["--tenant", "nobody"],
	])("%s %s is wrong usage", async (flag, value) => {
		const { status, stdout, stderr } = await runCli(["sessions", "list", "--db", db, flag, value]);
		expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
		expect(stderr).toContain(flag === "--tenant" ? "there is no tenant" : flag.slice(2));
	});

	test("a database that is not there ends with 4 and says what to do", async () => {
		const { status, stderr } = await runCli(["sessions", "list", "--db", join(folder, "none.db")]);
		expect(status).toBe(4);
		expect(stderr).toContain("label run makes one");
	});
});

describe("label sessions show", () => {
	test("a transcript with levels and evidence, with nothing that steers a terminal", async () => {
		const high = (await runCli(["sessions", "show", "high", "--db", db])).stdout;
		expect(high).toMatch(/ {3}1 user +R2 +i want to kill myself tonight/);
		expect(high).toContain("suicidal_ideation 0.");
		expect(high).toContain("si.intent.kill");
		const low = (await runCli(["sessions", "show", "low", "--db", db])).stdout;
		expect(low).toContain("i feel hopeless\ufffd[2J");
		expect(low).not.toContain("\u001b");
	});

	test("by id, and as JSON", async () => {
		const byName = JSON.parse((await runCli(["sessions", "show", "calm", "--db", db, "--json"])).stdout);
		expect(byName).toMatchObject({ external_id: "calm", title: "Bread", message_count: 2, messages: [{ turn: 0 }, { turn: 1, role: "assistant" }] });
		expect(JSON.parse((await runCli(["sessions", "show", String(byName.id), "--db", db, "--json"])).stdout)).toEqual(byName);
	});

	test("one that is not there", async () => {
		const { status, stderr } = await runCli(["sessions", "show", "nothing", "--db", db]);
		expect(status).toBe(2);
		expect(stderr).toContain("there is no session of that id");
	});
});

describe("label export", () => {
	const rows = async (...flags: string[]): Promise<unknown[]> =>
		fromJsonl((await runCli(["export", "--db", db, ...flags])).stdout).map((row) => `${row.session_external_id ?? row.external_id} ${row.turn ?? ""}`.trim());

	test("turns and sessions, with filters", async () => {
		expect((await rows()).sort()).toEqual(["calm 0", "calm 1", "high 0", "high 1", "low 0"]);
		expect((await rows("--level", "R1-mid")).sort()).toEqual(["high 1", "low 0"]);
		expect((await rows("--session-level", "R2")).sort()).toEqual(["high 0", "high 1"]);
		expect(await rows("--end-user", "ana", "--since", "2026-01-05T10:00:30Z")).toEqual(["calm 1"]);
		expect((await rows("--rows", "sessions")).sort()).toEqual(["calm", "high", "low"]);
		expect(await rows("--rows", "sessions", "--level", "R2")).toEqual(["high"]);
	});

	test("CSV to a file; --no-content leaves out what people wrote", async () => {
		const out = join(folder, "rows.csv");
		const { status, stderr } = await runCli(["export", "--db", db, "--format", "csv", "--out", out, "--no-content"]);
		expect({ status, stderr }).toEqual({ status: 0, stderr: `5 rows in ${out}\n` });
		const text = readFileSync(out, "utf8");
		expect(text).not.toContain("hopeless\u001b");
		const all = parse(text, { columns: true }) as Record<string, string>[];
		expect(all).toHaveLength(5);
		expect(all[0]).not.toHaveProperty("content");
		expect(Number(all[0]?.["scores.anxiety"])).toBeGreaterThanOrEqual(0);
	});
});

describe("label explain", () => {
	test("a text: level, evidence in brackets, steps", async () => {
		const { status, stdout } = await runCli(["explain", "i want to kill myself tonight", "--model", "none"]);
		expect(status).toBe(0);
		expect(stdout).toMatch(/^R2 {2}prs 0\.\d{3}/);
		expect(stdout).toContain("[i want to kill myself]");
		expect(stdout).toContain("si.intent.kill");
	});

	test("--why-not says what was set aside, and what set it aside", async () => {
		const text = "i don't want to kill myself";
		const without = JSON.parse((await runCli(["explain", text, "--json", "--model", "none"])).stdout);
		expect(without).not.toHaveProperty("set_aside");
		const { set_aside } = JSON.parse((await runCli(["explain", text, "--json", "--why-not", "--model", "none"])).stdout);
		expect(set_aside.map(({ reason }: { reason: string }) => reason).join()).toContain("negat");
	});

	test("a conversation from standard input; what is none is wrong usage that names the line, not the text", async () => {
		const stdin = `${JSON.stringify({ role: "user", content: "hello" })}\n${JSON.stringify({ role: "user", content: "i feel hopeless" })}\n`;
		const { stdout } = await runLabel(["explain", "--jsonl", "--json"], { stdin });
		expect(JSON.parse(stdout)).toMatchObject([
			{ turn: 0, r_level: "R0" },
			{ turn: 1, r_level: "R1-mid" },
		]);
		const wrong = await runCli(["explain", "--jsonl", "--model", "none"], { stdin: `${stdin}{"role":"user","text":"my sorrow"}\n` });
		expect(wrong.status).toBe(2);
		expect(wrong.stderr).toContain("line 3");
		expect(wrong.stderr).not.toContain("sorrow");
	});
});

describe("the command line itself", () => {
	test("--help answers with status 0 on standard output, for every command", async () => {
		const { status, stdout, stderr } = await runLabel(["--help"]);
		expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
		for (const name of ["run", "sessions", "export", "explain", "serve"]) expect(stdout).toContain(`  ${name}`);
		for (const args of [
			["run", "--help"],
			["sessions", "list", "--help"],
			["help", "export"],
		]) {
			const help = await runCli(args);
			expect({ args, status: help.status, stderr: help.stderr }).toEqual({ args, status: 0, stderr: "" });
			expect(help.stdout.split("Examples:")[1]?.match(/^ {2}\$ label|label run -/gm)?.length).toBeGreaterThanOrEqual(2);
		}
	});

	test.each([
		[["rnu"], "Did you mean run?"],
		[["sessions", "lst"], "Did you mean list?"],
		[["run", "x", "--on-conflct", "reject"], "Did you mean --on-conflict?"],
	])("%j gets a suggestion and status 2", async (args, words) => {
		const { status, stdout, stderr } = await runCli(args);
		expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
		expect(stderr).toContain(words);
	});

	test("colours only where they are asked for, and never with NO_COLOR or --no-color", async () => {
		const list = async (env: Record<string, string>, ...flags: string[]): Promise<boolean> =>
			(await runCli(["sessions", "show", "high", "--db", db, ...flags], { env })).stdout.includes("\u001b[");
		expect(await list({})).toBe(false);
		expect(await list({ FORCE_COLOR: "1" })).toBe(true);
		expect(await list({ FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(false);
		expect(await list({ FORCE_COLOR: "1" }, "--no-color")).toBe(false);
	});

	test("LABEL_DB and LABEL_TENANT stand for their flags", async () => {
		const { status, stdout } = await runLabel(["sessions", "list", "--json"], { env: { LABEL_DB: db } });
		expect(status).toBe(0);
		expect(JSON.parse(stdout).data).toHaveLength(3);
		expect((await runLabel(["sessions", "list"], { env: { LABEL_DB: db, LABEL_TENANT: "nobody" } })).status).toBe(2);
	});

	test("stack traces come with --verbose only", async () => {
		const missing = ["run", join(folder, "none.jsonl"), "--db", db];
		expect((await runCli(missing)).stderr.trimEnd().split("\n")).toHaveLength(1);
		expect((await runCli([...missing, "--verbose"])).stderr).toMatch(/\n\s+at /);
	});
});
