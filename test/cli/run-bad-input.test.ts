import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { runCli } from "../helpers/run-cli.js";
import { fromJsonl, runLabel } from "../helpers/run-label.js";
import { tempDir } from "../helpers/temp-dir.js";

const SECRET = "nobody may read this sorrow";
const GOOD = `{"id":"good","turns":[{"role":"user","content":"${SECRET}"}]}\n`;
const BETTER = GOOD.replace("good", "better");

interface Outcome {
	status: number;
	stderr: string;
	sessions: string[];
	rejects: { line: number; code: string; message: string; raw?: string; turns: number }[];
	summary: Record<string, number>;
}

/** Labels one file into a new database. Whatever is said and stored beside the raw records must not hold what people wrote. */
async function label(name: string, content: string | Buffer, ...flags: string[]): Promise<Outcome> {
	const folder = tempDir();
	const [path, db] = [join(folder, name), join(folder, "out.db")];
	writeFileSync(path, content);
	const { status, stdout, stderr } = await runCli(["run", path, "--db", db, "--json", "--model", "none", ...flags]);
	const exported = existsSync(db) ? await runCli(["export", "--db", db]) : { stdout: "" };
	const rejects = existsSync(`${db}.rejects.jsonl`) ? fromJsonl<Outcome["rejects"][number]>(readFileSync(`${db}.rejects.jsonl`, "utf8")) : [];
	for (const said of [stderr, stdout, ...rejects.map(({ message }) => message)]) expect(said).not.toContain("sorrow");
	return {
		status,
		stderr,
		sessions: [...new Set(fromJsonl<{ session_external_id: string }>(exported.stdout).map((row) => row.session_external_id))].sort(),
		rejects,
		summary: stdout === "" ? {} : JSON.parse(stdout),
	};
}

describe("a file that can not be read ends with status 4, a message, and no stack trace", () => {
	test.each<[string, string | Buffer, string]>([
		["empty.jsonl", "", "is empty"],
		["blank.csv", "\n \r\n", "is empty"],
		["binary.jsonl", Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 7919) % 256)), "is binary of no format that label knows"],
		["database.jsonl", Buffer.from("SQLite format 3\0\u0010\0\u0001,\0\0table sessions\n"), "is binary of no format that label knows"],
		["prose.txt", `${SECRET}\n${SECRET}\n`, "is text of no format that label knows"],
		["columns.csv", `session_id,who,when\na,${SECRET},1\n`, "the header has no column for role, content (it has: session_id, who, when)"],
		["headerless.csv", `a,user,${SECRET}\nb,user,hi\n`, "is the first row a header?"],
		["half-headerless.csv", `id,user,${SECRET}\n`, "(it has: id, user, column 3)"],
		["old-mac.csv", `session_id,role,content\ra,user,${SECRET}\r`, "carriage returns alone"],
		["cut.jsonl.gz", gzipSync(GOOD.repeat(500)).subarray(0, 60), "the compressed data is broken or cut off"],
	])("%s", async (name, content, words) => {
		const { status, stderr, sessions } = await label(name, content);
		expect({ status, sessions }).toEqual({ status: 4, sessions: [] });
		expect(stderr).toContain(name);
		expect(stderr).toContain(words);
		expect(stderr.trimEnd().split("\n")).toHaveLength(1);
	});

	test("a file that is not there, a glob that matches nothing, and an empty folder", async () => {
		const folder = tempDir();
		for (const [input, words] of [
			["none.jsonl", "none.jsonl does not exist"],
			["*.csv", "no file matches"],
			[".", "there is no file in the folder given"],
		] as const) {
			const { status, stderr } = await runLabel(["run", input], { cwd: folder });
			expect({ input, status }).toEqual({ input, status: 4 });
			expect(stderr).toContain(words);
		}
		expect(readdirSync(folder)).toEqual([]);
	});

	test.skipIf(process.getuid?.() === 0)("a file and a folder without permission", async () => {
		const folder = tempDir();
		writeFileSync(join(folder, "a.jsonl"), GOOD, { mode: 0o000 });
		mkdirSync(join(folder, "closed"), { mode: 0o000 });
		for (const name of ["a.jsonl", "closed"]) {
			const { status, stderr } = await runCli(["run", join(folder, name), "--db", join(folder, "a.db")]);
			expect(status).toBe(4);
			expect(stderr).toContain(`${name} can not be read: permission denied`);
		}
		chmodSync(join(folder, "closed"), 0o700);
	});

	test("one of several does not stop the others", async () => {
		const folder = tempDir();
		const files = { "1.jsonl": GOOD, "2.jsonl": "", "3.bin": Buffer.alloc(3000), "4.csv": "x,y\n1,2\n", "5.jsonl": BETTER };
		for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
		const { status, stdout, stderr } = await runLabel(["run", ".", "--json", "-q"], { cwd: folder });
		expect(status).toBe(4);
		expect(JSON.parse(stdout)).toMatchObject({ sessions: 2, stored: 2 });
		for (const name of ["2.jsonl", "3.bin", "4.csv"]) expect(stderr).toContain(name);
	});
});

describe("a bad record is a reject with line and reason, and loses nothing else", () => {
	test.each<[string, string | Buffer, string, number, string]>([
		["truncated.jsonl", `${GOOD}${BETTER}{"id":"x","turns":[{"role":"user","content":"${SECRET}`, "invalid_json", 3, "cut off"],
		["truncated.json", `[${GOOD},${BETTER},{"id":"x","turns":[{"role":"user","content":"${SECRET}`, "invalid_json", 3, "cut off"],
		["middle.jsonl", `${GOOD}{${SECRET}\n${BETTER}`, "invalid_json", 2, "not JSON"],
		["first.jsonl", `{${SECRET}\n${GOOD}${BETTER}`, "invalid_json", 1, "not JSON"],
		["nul.jsonl", `${GOOD}\0\0\0\0\n${BETTER}`, "invalid_json", 2, "NUL bytes"],
		[
			"latin1.jsonl",
			Buffer.from(`${GOOD}{"id":"x","turns":[{"role":"user","content":"caf\u00e9 ${SECRET}"}]}\n${BETTER}`, "latin1"),
			"invalid_utf8",
			2,
			"UTF-8",
		],
		["role.jsonl", `${GOOD}{"id":"x","turns":[{"role":"wizard","content":"${SECRET}"}]}\n${BETTER}`, "unknown_role", 2, '"wizard"'],
		["role-text.jsonl", `${GOOD}{"id":"x","turns":[{"role":"${SECRET}","content":"y"}]}\n${BETTER}`, "unknown_role", 2, "--role-map"],
		["no-turns.jsonl", `${GOOD}{"id":"x","turns":[]}\n${BETTER}`, "empty_conversation", 2, "no messages"],
		["no-content.jsonl", `${GOOD}{"id":"x","turns":[{"role":"user"}]}\n${BETTER}`, "invalid_record", 2, "message 0"],
		["scalar.jsonl", `${GOOD}"${SECRET}"\n${BETTER}`, "invalid_record", 2, "must be a JSON object"],
		["cells.csv", `session_id,role,content\ngood,user,hi\nx,user,${SECRET},more\nbetter,user,hi\n`, "invalid_record", 3, "4 cells, the header 3"],
		["role.csv", `session_id,role,content\ngood,user,hi\nx,wizard,${SECRET}\nbetter,user,hi\n`, "unknown_role", 3, '"wizard"'],
		["no-session.csv", `session_id,role,content\ngood,user,hi\n,user,${SECRET}\nbetter,user,hi\n`, "invalid_record", 3, "names no session"],
		["open-quote.csv", `session_id,role,content\ngood,user,hi\nbetter,user,hi\nx,user,"${SECRET}\n`, "invalid_record", 4, "never closed"],
	])("%s", async (name, content, code, line, words) => {
		const { status, sessions, rejects, summary, stderr } = await label(name, content);
		expect({ status, sessions }).toEqual({ status: 3, sessions: ["better", "good"] });
		expect(rejects).toMatchObject([{ code, line, message: expect.stringContaining(words), raw: expect.any(String) }]);
		expect(summary).toMatchObject({ turns_in: 3, stored: 2, rejected_turns: 1, rejected: 1 });
		expect(stderr).toContain("1 record was rejected");
	});

	test("a role that is not known goes through with --role-map", async () => {
		const text = `${GOOD}{"id":"x","turns":[{"role":"wizard","content":"hi"}]}\n`;
		expect(await label("role.jsonl", text, "--role-map", "wizard=assistant")).toMatchObject({ status: 0, sessions: ["good", "x"], rejects: [] });
	});

	test("--no-reject-content keeps the text out of the rejects file, --allow-rejects makes the status 0", async () => {
		const { status, rejects } = await label("a.jsonl", `${GOOD}{${SECRET}\n`, "--no-reject-content", "--allow-rejects");
		expect(status).toBe(0);
		expect(rejects).toHaveLength(1);
		expect(rejects[0]).not.toHaveProperty("raw");
	});

	test("NUL and control characters within a text are text", async () => {
		const content = "a\0b\u001b[31mc\u202ed \ud83d\ude42";
		const { status, sessions } = await label("nul.jsonl", JSON.stringify({ id: "x", turns: [{ role: "user", content }] }));
		expect({ status, sessions }).toEqual({ status: 0, sessions: ["x"] });
	});

	test("a line of 50 MB is stored, and the lines around it", async () => {
		const folder = tempDir();
		const long = JSON.stringify({ id: "long", turns: [{ role: "user", content: "word ".repeat(10_000_000) }] });
		writeFileSync(join(folder, "long.jsonl"), `${GOOD}${long}\n${BETTER}`);
		const { status, stdout } = await runLabel(["run", "long.jsonl", "--db", "a.db", "--json", "--scorer", "none"], { cwd: folder });
		expect(status).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({ sessions: 3, stored: 3, rejected: 0 });
	});

	test("of the same session id, the record that contradicts is the reject", async () => {
		const { status, sessions, rejects } = await label("twice.jsonl", GOOD + BETTER + GOOD.replace(SECRET, "something else"));
		expect({ status, sessions }).toEqual({ status: 3, sessions: ["better", "good"] });
		expect(rejects).toMatchObject([{ code: "session_diverges", line: 3, message: expect.stringContaining("message 0 of the record") }]);
	});
});
