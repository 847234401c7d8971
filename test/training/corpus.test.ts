import { describe, expect, test } from "vitest";
import { parseCorpus } from "../../src/training/corpus.js";

describe("corpus rows", () => {
	test("level, scores and text", () => {
		expect(parseCorpus("R2\tsi=0.9 is=.5\ti am done\n\nR0\t-\tnice day\r\n", "c.tsv")).toEqual([
			{ level: 3, scores: [0.9, 0, 0, 0, 0, 0, 0, 0.5, 0, 0], turns: [{ role: "user", content: "i am done" }] },
			{ level: 0, scores: new Array(10).fill(0), turns: [{ role: "user", content: "nice day" }] },
		]);
	});

	test("context turns and line breaks", () => {
		const [example] = parseCorpus("R1-high\tsi=0.7\tU: low ||| A: Are you safe? ||| U: no\\nnot really", "c.tsv");
		expect(example?.turns).toEqual([
			{ role: "user", content: "low" },
			{ role: "assistant", content: "Are you safe?" },
			{ role: "user", content: "no\nnot really" },
		]);
	});

	test.each([
		["two columns", "R0\tsecret", "separated by tabs"],
		["four columns", "R0\t-\tsecret\tmore", "separated by tabs"],
		["an unknown level", "R3\t-\tsecret", "the level must be"],
		["an unknown signal", "R1-mid\txx=0.5\tsecret", "signals are code=score"],
		["no score", "R1-mid\tsi\tsecret", "signals are code=score"],
		["a score of zero", "R1-mid\tsi=0\tsecret", "signals are code=score"],
		["a score above one", "R1-mid\tsi=1.1\tsecret", "signals are code=score"],
		["an empty signal column", "R1-mid\t\tsecret", "signals are code=score"],
	])("%s: refused with file and line, without the text", (_, row, problem) => {
		const parse = (): unknown => parseCorpus(`R0\t-\tfine\n${row}`, "c.tsv");
		expect(parse).toThrow(expect.objectContaining({ code: "invalid_record" }));
		expect(parse).toThrow(problem);
		expect(parse).toThrow("c.tsv, line 2");
		expect(parse).not.toThrow(/secret/);
	});
});
