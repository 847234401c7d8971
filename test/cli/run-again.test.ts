import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../helpers/run-cli.js";
import { fromJsonl } from "../helpers/run-label.js";
import { tempDir } from "../helpers/temp-dir.js";

interface Counts {
	records: number;
	turns_in: number;
	stored: number;
	skipped: number;
	rejected_turns: number;
	rejected: number;
}
type Line = readonly [session: string, ...contents: string[]];

/** Conversations a line, the speakers taking turns. */
const file = (...lines: Line[]): string =>
	lines
		.map(([id, ...contents]) => JSON.stringify({ id, messages: contents.map((content, turn) => ({ role: turn % 2 === 0 ? "user" : "assistant", content })) }))
		.map((line) => `${line}\n`)
		.join("");

/** A folder with a database; `run` labels texts (a file each) into it. */
function openFolder() {
	const folder = tempDir();
	const db = join(folder, "a.db");
	return {
		async run(texts: string | readonly string[], ...flags: string[]): Promise<{ status: number; counts: Counts; rejects: Record<string, unknown>[] }> {
			const names = [texts].flat().map((text, at) => {
				const path = join(folder, `in-${at}.txt`);
				writeFileSync(path, text);
				return path;
			});
			const rejects = join(folder, "rejects.jsonl");
			rmSync(rejects, { force: true });
			const { status, stdout } = await runCli(["run", ...names, "--db", db, "--json", "-q", "--model", "none", "--rejects", rejects, ...flags]);
			const { records, turns_in, stored, skipped, rejected_turns, rejected } = JSON.parse(stdout);
			return {
				status,
				counts: { records, turns_in, stored, skipped, rejected_turns, rejected },
				rejects: existsSync(rejects) ? fromJsonl(readFileSync(rejects, "utf8")) : [],
			};
		},
		/** What is stored, a session a line as `file` takes it. */
		async stored(): Promise<string[][]> {
			const { stdout } = await runCli(["export", "--db", db]);
			const sessions = new Map<string, string[]>();
			for (const { session_external_id: id, content } of fromJsonl<{ session_external_id: string; content: string }>(stdout))
				sessions.set(id, [...(sessions.get(id) ?? []), content]);
			return [...sessions].map(([id, contents]) => [id, ...contents]).sort();
		},
		levels: async (): Promise<unknown[]> =>
			fromJsonl((await runCli(["export", "--db", db])).stdout).map((row) => [row.session_external_id, row.turn, row.prs, row.session_srs]),
	};
}

const TWO = file(["a", "i feel hopeless", "why?", "no reason"], ["b", "hello"]);

describe("a run after a run", () => {
	test("of the same file stores nothing; a longer one stores only what is new; with the labels of one run", async () => {
		const { run, stored, levels } = openFolder();
		expect((await run(TWO)).counts).toEqual({ records: 2, turns_in: 4, stored: 4, skipped: 0, rejected_turns: 0, rejected: 0 });
		expect((await run(TWO)).counts).toEqual({ records: 2, turns_in: 4, stored: 0, skipped: 4, rejected_turns: 0, rejected: 0 });
		const longer: Line[] = [
			["a", "i feel hopeless", "why?", "no reason", "I am here.", "i want to die"],
			["b", "hello"],
			["c", "new"],
		];
		expect((await run(file(...longer))).counts).toEqual({ records: 3, turns_in: 7, stored: 3, skipped: 4, rejected_turns: 0, rejected: 0 });
		expect(await stored()).toEqual(longer);
		// A shorter one is a prefix: there is nothing to do, and nothing to say.
		expect((await run(TWO)).counts.skipped).toBe(4);
		const atOnce = openFolder();
		await atOnce.run(file(...longer));
		expect(await levels()).toEqual(await atOnce.levels());
	});

	test("that contradicts it is rejected, says where, and stores the rest", async () => {
		const { run, stored } = openFolder();
		await run(TWO);
		const other = file(["a", "i feel hopeless", "why is that?", "no reason", "more"], ["b", "hello", "Hi."]);
		const { status, counts, rejects } = await run(other);
		expect(status).toBe(3);
		expect(counts).toEqual({ records: 2, turns_in: 6, stored: 1, skipped: 1, rejected_turns: 4, rejected: 1 });
		expect(rejects).toMatchObject([{ file: expect.stringMatching(/in-0\.txt$/), line: 1, record: 1, code: "session_diverges", turns: 4 }]);
		expect(rejects[0]?.message).toContain('session "a": message 1 of the record (counted from 0) differs from the stored turn 1');
		expect(rejects[0]?.message).not.toContain("why");
		expect(JSON.parse(rejects[0]?.raw as string).messages).toHaveLength(4);
		expect(await stored()).toEqual([
			["a", "i feel hopeless", "why?", "no reason"],
			["b", "hello", "Hi."],
		]);
	});

	test("--on-conflict replace puts the incoming one in its place, with the labels of a first run", async () => {
		const { run, stored, levels } = openFolder();
		const other = file(["a", "hm", "why is that?"], ["b", "hello"]);
		await run(TWO);
		expect(await run(other, "--on-conflict", "replace")).toMatchObject({ status: 0, counts: { turns_in: 3, stored: 2, skipped: 1, rejected: 0 } });
		expect(await stored()).toEqual([
			["a", "hm", "why is that?"],
			["b", "hello"],
		]);
		const fresh = openFolder();
		await fresh.run(other);
		expect(await levels()).toEqual(await fresh.levels());
	});

	test("--append takes new turns of known sessions only", async () => {
		const { run, stored } = openFolder();
		await run(TWO);
		const { status, counts, rejects } = await run(file(["b", "and now this"], ["z", "who?"]), "--append");
		expect(status).toBe(3);
		expect(counts).toEqual({ records: 2, turns_in: 2, stored: 1, skipped: 0, rejected_turns: 1, rejected: 1 });
		expect(rejects).toMatchObject([{ code: "session_unknown", line: 2 }]);
		expect(await stored()).toEqual([
			["a", "i feel hopeless", "why?", "no reason"],
			["b", "hello", "and now this"],
		]);
	});

	test("where messages carry ids, the ids decide", async () => {
		const { run, stored } = openFolder();
		const chat = (...all: [string, string][]): string =>
			`${JSON.stringify({ external_id: "a", messages: all.map(([external_id, content]) => ({ external_id, role: "user", content })) })}\n`;
		await run(chat(["m1", "one"], ["m2", "two"]));
		// The export begins later than what is stored.
		expect((await run(chat(["m2", "two"], ["m3", "three"]))).counts).toMatchObject({ stored: 1, skipped: 1 });
		const { status, rejects } = await run(chat(["m3", "another three"], ["m4", "four"]));
		expect({ status, code: rejects[0]?.code }).toEqual({ status: 3, code: "session_diverges" });
		expect(await stored()).toEqual([["a", "one", "two", "three"]]);
	});
});

describe("a session that stands twice in one run", () => {
	const SHORT: Line = ["a", "one", "two"];
	const LONG: Line = ["a", "one", "two", "three"];
	const OTHER: Line = ["a", "one", "other"];

	test.each([
		["in one file", (left: Line, right: Line) => file(left, right)],
		["in two files", (left: Line, right: Line) => [file(left), file(right)]],
	])("%s follows the same rule", async (_name, write) => {
		const same = openFolder();
		expect((await same.run(write(SHORT, SHORT))).counts).toMatchObject({ stored: 2, skipped: 2, rejected: 0 });
		const longer = openFolder();
		expect((await longer.run(write(SHORT, LONG))).counts).toMatchObject({ stored: 3, skipped: 2, rejected: 0 });
		expect(await longer.stored()).toEqual([LONG]);
		const other = openFolder();
		expect(await other.run(write(SHORT, OTHER))).toMatchObject({ status: 3, counts: { stored: 2, rejected_turns: 2, rejected: 1 } });
		expect(await other.stored()).toEqual([SHORT]);
	});

	test("messages a line: a second file holds the session again, or goes on with it", async () => {
		const lines = (...contents: string[]): string => contents.map((content) => `${JSON.stringify({ session_id: "a", role: "user", content })}\n`).join("");
		const again = openFolder();
		expect((await again.run([lines("one", "two"), lines("one", "two", "three")])).counts).toMatchObject({ stored: 3, skipped: 2, rejected: 0 });
		expect(await again.stored()).toEqual([LONG]);
		const further = openFolder();
		expect((await further.run([lines("one", "two"), lines("three")])).counts).toMatchObject({ stored: 3, skipped: 0, rejected: 0 });
		expect(await further.stored()).toEqual([LONG]);
		expect((await further.run([lines("one", "two"), lines("three")])).counts).toMatchObject({ stored: 0, skipped: 3, rejected: 0 });
	});
});
