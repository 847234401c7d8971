import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { runCli } from "../helpers/run-cli.js";
import { fromJsonl, runLabel } from "../helpers/run-label.js";
import { tempDir } from "../helpers/temp-dir.js";

const conversation = (id: string, ...contents: string[]): string =>
	`${JSON.stringify({ id, end_user_external_id: "u", messages: contents.map((content) => ({ role: "user", content })) })}\n`;
const CALM = conversation("calm", "how do i bake bread");
const LOW = conversation("low", "i feel hopeless");
const HIGH = conversation("high", "hello", "i want to kill myself tonight");
const REJECT = "{\n";

/** A folder with `chats.jsonl` in it; `run` labels it with rules alone. */
function open(text: string) {
	const folder = tempDir();
	const input = join(folder, "chats.jsonl");
	writeFileSync(input, text);
	const at = (name: string): string => join(folder, name);
	const run = (...flags: string[]) => runCli(["run", input, "--model", "none", "--db", at("a.db"), ...flags]);
	return { folder, input, at, run };
}

describe("label rows", () => {
	test("--out x.csv holds what --out x.jsonl holds, flattened, with formulas made inert", async () => {
		const { run, at } = open(HIGH + conversation("sheet", "=1+1", 'a "b",\nc'));
		await run("--out", at("rows.csv"));
		await run("--db", "none", "--out", at("rows.jsonl"));
		const fromCsv = parse(readFileSync(at("rows.csv"), "utf8"), { columns: true }) as Record<string, string>[];
		const rows = fromJsonl<Record<string, unknown>>(readFileSync(at("rows.jsonl"), "utf8"));
		expect(rows).toHaveLength(4);
		expect(fromCsv.map(({ session_external_id, turn, prs, r_level }) => [session_external_id, Number(turn), Number(prs), r_level])).toEqual(
			rows.map(({ session_external_id, turn, prs, r_level }) => [session_external_id, turn, prs, r_level]),
		);
		expect(fromCsv.map((row) => Number(row["scores.suicidal_ideation"]))).toEqual(
			rows.map(({ scores }) => (scores as Record<string, number>).suicidal_ideation),
		);
		expect(fromCsv.map((row) => row["imminence.level"])).toEqual(rows.map(({ imminence }) => (imminence as Record<string, string>).level));
		expect(JSON.parse(fromCsv[1]?.evidence as string)).toEqual(rows[1]?.evidence);
		expect(fromCsv.slice(2).map(({ content }) => content)).toEqual(["'=1+1", 'a "b",\nc']);
	});

	test("a row has the names of the specification, and no other", async () => {
		const { run } = open(HIGH);
		const [row] = fromJsonl<Record<string, object>>((await run("--stdout", "-q")).stdout);
		const names =
			"session_external_id end_user_external_id turn external_id role created_at content prs r_level scores imminence session_srs session_r_level evidence language coverage scorer_version";
		expect(Object.keys(row as object)).toEqual(names.split(" "));
		expect(Object.keys(row?.scores as object)).toHaveLength(10);
		expect(Object.keys(row?.scorer_version as object)).toEqual(["name", "version", "lexicon", "model"]);
	});

	test("only what is new is written: the second run writes nothing", async () => {
		const { run } = open(CALM + HIGH);
		expect(fromJsonl((await run("--stdout", "-q")).stdout)).toHaveLength(3);
		expect((await run("--stdout", "-q")).stdout).toBe("");
	});

	test("--no-content: neither outputs nor the database hold a word of it, the labels are the same", async () => {
		const { run, at, folder, input } = open(HIGH);
		await run("--no-content", "--out", at("bare.jsonl"));
		await run("--db", at("b.db"), "--out", at("full.jsonl"));
		const [bare, full] = ["bare.jsonl", "full.jsonl"].map((name) => fromJsonl<Record<string, unknown>>(readFileSync(at(name), "utf8")));
		const labels = (rows: Record<string, unknown>[] | undefined): unknown[] | undefined =>
			rows?.map(({ content: _content, evidence, ...rest }) => ({
				...rest,
				evidence: (evidence as { text?: string }[]).map(({ text: _text, ...piece }) => piece),
			}));
		expect(labels(bare)).toEqual(labels(full));
		expect(bare?.[1]).not.toHaveProperty("content");
		for (const name of readdirSync(folder).filter((name) => /^(a\.db|bare)/.test(name))) expect(readFileSync(at(name)).includes("want to"), name).toBe(false);
		// The same again, with text or without: nothing is new.
		expect((await run("--json", "--no-content")).stdout).toContain('"stored":0');
		expect((await runCli(["sessions", "show", "high", "--db", at("a.db")])).stdout).toContain("(no content stored)");
		expect(existsSync(input)).toBe(true);
	});

	test("an input is never overwritten; the run's own files in a folder are no inputs", async () => {
		const { run, input, folder, at } = open(CALM);
		for (const flags of [
			["--out", input],
			["--rejects", input],
			["--db", input],
		]) {
			const { status, stderr } = await run(...flags);
			expect({ flags, status }).toEqual({ flags, status: 2 });
			expect(stderr).toContain("is an input and also");
		}
		expect(readFileSync(input, "utf8")).toBe(CALM);
		mkdirSync(at("sub"));
		writeFileSync(at("sub/bad.jsonl"), REJECT + LOW);
		for (const stored of [2, 0]) {
			const { status, stdout } = await runCli(["run", folder, "--db", at("a.db"), "--out", at("o.csv"), "--json", "--model", "none"]);
			expect(status).toBe(3);
			expect(JSON.parse(stdout)).toMatchObject({ stored, rejected: 1, sessions: 2 });
			expect(Object.keys(JSON.parse(stdout).files)).toHaveLength(2);
		}
	});

	test.runIf(existsSync("/dev/full"))("outputs that can not be written end with status 4 and say which", async () => {
		const { run, at, folder } = open(CALM + REJECT);
		for (const [flags, words] of [
			[["--out", "/dev/full"], "/dev/full can not be written; choose another --out"],
			[["--out", at("none/rows.csv")], "rows.csv can not be written"],
			[["--rejects", "/dev/full"], "name another with --rejects"],
			[["--db", at("none/a.db")], "none/a.db"],
			[["--db", folder], "can not be opened"],
		] as const) {
			const { status, stderr } = await run(...flags);
			expect({ flags, status }).toEqual({ flags, status: 4 });
			expect(stderr).toContain(words);
			expect(stderr).not.toMatch(/\n\s+at /);
		}
	});

	test("--db none leaves no file behind, also when the reader goes away", async () => {
		const { folder } = open(HIGH);
		const temporary = tempDir();
		const { status } = await runLabel(["run", "chats.jsonl", "--db", "none", "--stdout"], { cwd: folder, env: { TMPDIR: temporary } });
		expect(status).toBe(0);
		expect([readdirSync(folder), readdirSync(temporary)]).toEqual([["chats.jsonl"], []]);
	});
});

describe("exit status", () => {
	test.each<[number, string, string[]]>([
		[0, CALM, []],
		[0, CALM, ["--fail-on", "R1-mid"]],
		[1, LOW, ["--fail-on", "R1-mid"]],
		[0, LOW, ["--fail-on", "R1-high"]],
		[1, HIGH, ["--fail-on", "R1-mid"]],
		[1, HIGH, ["--fail-on", "R2"]],
		[1, HIGH + REJECT, ["--fail-on", "R2"]],
		[3, HIGH + REJECT, []],
		[3, CALM + REJECT, ["--fail-on", "R2"]],
		[0, CALM + REJECT, ["--allow-rejects"]],
		[4, "", []],
	])("%d of %j with %j", async (expected, text, flags) => {
		const { status, stdout } = await open(text).run("--json", ...flags);
		expect(status).toBe(expected);
		if (expected !== 4) expect(JSON.parse(stdout).rejected).toBe(text.endsWith(REJECT) ? 1 : 0);
	});

	test.each([
		[["--fail-on", "R9"]],
		[["--format", "xlsx"]],
		[["--delimiter", ",,"]],
		[["--map", "content"]],
		[["--role-map", "a=b=c"]],
		[["--workers", "many"]],
		[["--shard", "5/4"]],
		[["--on-conflict", "merge"]],
		[["--db", "none"]],
		[["--tenant", ""]],
	])("2 with %j, and nothing is made", async (flags) => {
		const { run, folder } = open(CALM);
		const { status, stdout, stderr } = await run(...flags);
		expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
		expect(stderr).toContain((flags[0] as string).slice(2));
		expect(readdirSync(folder)).toEqual(["chats.jsonl"]);
	});
});

test("the summary: --json has the names of the specification, the text the levels and the riskiest sessions", async () => {
	const { run, at } = open(CALM + LOW + HIGH + conversation("\u001b[31mescape", "i want to die"));
	const { stdout } = await run("--json");
	const summary = JSON.parse(stdout);
	expect(summary).toMatchObject({ sessions: 4, turns: 5, rejected: 0, turns_by_level: { R2: 1 }, sessions_by_level: { R2: 1, R0: 1 }, coverage: { full: 5 } });
	expect(summary.turns_per_second).toBeGreaterThan(0);
	expect(summary.top_sessions[0]).toMatchObject({ external_id: "high", r_level: "R2" });
	const text = (await run()).stdout;
	expect(text).toContain("4 sessions, 5 turns in");
	expect(text).toContain("this run: 0 turns stored, 5 already stored, 0 rejected");
	for (const level of ["R0", "R1-mid", "R1-high", "R2"]) expect(text).toMatch(new RegExp(`^${level} +\\d+ +\\d+`, "m"));
	expect(text).toMatch(/^R2 +0\.\d{3} +\d+ +high +u +2$/m);
	expect(text).not.toContain("\u001b");
	const database = new Database(at("a.db"), { readonly: true });
	expect(database.prepare("SELECT count(*) AS turns FROM turns").get()).toEqual({ turns: 5 });
	database.close();
});

test("--dry-run shows what is recognised and makes nothing", async () => {
	const { run, folder } = open(CALM + REJECT);
	const { status, stdout } = await run("--dry-run");
	expect(status).toBe(0);
	expect(stdout).toContain("session calm, end user u");
	expect(stdout).toContain("would be rejected (invalid_json)");
	expect(readdirSync(folder)).toEqual(["chats.jsonl"]);
});
