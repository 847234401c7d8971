import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runCli } from "../helpers/run-cli.js";
import { fromJsonl } from "../helpers/run-label.js";
import { tempDir } from "../helpers/temp-dir.js";

/** A line of a file, and how many turns and records a person would count in it. */
interface Line {
	text: string;
	turns: number;
}

const content = fc.constantFrom("hi", "i feel hopeless", "\u0000", "=1", "ü🙂", "x".repeat(300));
const id = fc.constantFrom("a", "b", "c", "__proto__", "");
const messageOf = fc.record({ role: fc.constantFrom("user", "assistant", "bot", "wizard"), content });
const conversation = fc
	.record({ id, messages: fc.array(messageOf, { maxLength: 4 }) })
	.map((record) => ({ text: JSON.stringify(record), turns: Math.max(1, record.messages.length) }));
const single = fc
	.record({ session_id: id, role: fc.constantFrom("user", "assistant", "wizard"), content })
	.map((record) => ({ text: JSON.stringify(record), turns: 1 }));
const broken = fc.constantFrom("{", "null", "[]", '"x"', '{"id":"a"', '{"turns":5}').map((text) => ({ text, turns: 1 }));
const line: fc.Arbitrary<Line> = fc.oneof({ weight: 4, arbitrary: conversation }, { weight: 4, arbitrary: single }, { weight: 1, arbitrary: broken });

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

test("property: records in = stored + skipped + rejected, in a first run and in a second, over several files", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.array(line, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 }), fc.boolean(), async (files, replace) => {
			const folder = tempDir();
			const paths = files.map((lines, at) => {
				const path = join(folder, `${at}.jsonl`);
				writeFileSync(path, lines.map(({ text }) => `${text}\n`).join(""));
				return path;
			});
			const db = join(folder, "a.db");
			const flags = ["--format", "jsonl", "--db", db, "--json", "-q", "--allow-rejects", "--scorer", "none", ...(replace ? ["--on-conflict", "replace"] : [])];
			const records = files.flat().length;
			const turns = sum(files.flat().map((each) => each.turns));
			for (const run of ["first", "second"]) {
				const { status, stdout } = await runCli(["run", ...paths, ...flags]);
				expect(status, run).toBe(0);
				const summary = JSON.parse(stdout);
				const rejects = existsSync(`${db}.rejects.jsonl`) ? fromJsonl<{ turns: number }>(readFileSync(`${db}.rejects.jsonl`, "utf8")) : [];
				expect(summary.records, run).toBe(records);
				expect(summary.turns_in, run).toBe(turns);
				expect(summary.stored + summary.skipped + summary.rejected_turns, run).toBe(turns);
				expect(sum(rejects.map((reject) => reject.turns)), run).toBe(summary.rejected_turns);
				for (const name of ["records", "turns_in", "stored", "skipped", "rejected_turns", "rejected"])
					expect(sum(Object.values<Record<string, number>>(summary.files).map((file) => file[name] as number)), name).toBe(summary[name]);
				const database = new Database(db, { readonly: true });
				const stored = database.prepare("SELECT count(*) AS turns, (SELECT sum(message_count) FROM sessions) AS counted FROM messages").get();
				database.close();
				expect(stored, run).toEqual({ turns: summary.turns, counted: summary.turns === 0 && summary.sessions === 0 ? null : summary.turns });
				if (run === "second" && !replace) expect(summary.stored).toBe(0);
			}
		}),
		{ numRuns: Number(process.env.LABEL_LONG_TESTS ? 2000 : 60) },
	);
}, 600_000);
