import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { createScorerFrom } from "../../src/core/scorer.js";
import { COMPILED_FORMAT, loadCompiledLexicon, serialiseCompiled, serialiseLexicon } from "../../src/lexicon/compiled.js";
import { loadLexicon } from "../../src/lexicon/load-lexicon.js";
import { hashLexicon } from "../../src/lexicon/open-scorer.js";

const folder = mkdtempSync(join(tmpdir(), "label-compiled-"));
const file = pathToFileURL(join(folder, "en.bin"));
afterAll(() => rmSync(folder, { recursive: true }));

const version = { name: "test", version: "0", lexicon: "", model: "" };
const TEXTS = readFileSync(new URL("../../fixtures/corpus/imminent.tsv", import.meta.url), "utf8")
	.split("\n")
	.slice(0, 300)
	.map((line) => line.split("\t")[2] ?? "");

describe("compiled lexicon", () => {
	const source = hashLexicon();
	writeFileSync(file, serialiseLexicon(source));

	test("scores and explains as the one that was just compiled", () => {
		const fresh = createScorerFrom({ lexicon: loadLexicon(), version });
		const kept = createScorerFrom({ lexicon: loadCompiledLexicon(source, file), version });
		for (const content of TEXTS) {
			const turn = { role: "user", content } as const;
			expect(kept.explain(kept.start(), turn)).toEqual(fresh.explain(fresh.start(), turn));
		}
	});

	test("is read from its file only while the lexicon is the one it was made from, in the form that is read", () => {
		const rules = (made: string, format = COMPILED_FORMAT): number => {
			const emptied = { format, source: made, lexicon: { ...loadCompiledLexicon(source, file), rules: [] } };
			const other = pathToFileURL(join(folder, "other.bin"));
			writeFileSync(other, serialiseCompiled(emptied));
			return loadCompiledLexicon(source, other).rules.length;
		};
		expect(rules(source)).toBe(0);
		expect(rules("of another lexicon")).toBeGreaterThan(100);
		expect(rules(source, COMPILED_FORMAT - 1)).toBeGreaterThan(100);
	});

	test.each([
		["no file", undefined],
		["an empty file", Buffer.alloc(0)],
		["a file that is cut off", readFileSync(file).subarray(0, 1_000_000)],
		["another file", Buffer.from('{"source": 1}')],
	])("is made anew where there is %s", (_, bytes) => {
		const bad = pathToFileURL(join(folder, "bad.bin"));
		rmSync(bad, { force: true });
		if (bytes) writeFileSync(bad, bytes);
		expect(loadCompiledLexicon(source, bad).rules.length).toBeGreaterThan(100);
	});
});
