import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { parseModel } from "../../src/core/model/model.js";
import { createScorerFrom } from "../../src/core/scorer.js";
import { loadLexicon } from "../../src/lexicon/load-lexicon.js";
import { trainFromCorpus } from "../../src/training/from-corpus.js";

const THINGS = ["the train", "my garden", "the cake", "our dog", "the film"];
const TIMES = ["today", "this week", "again", "at night", "since may"];

/** 300 invented rows: everyday talk, low mood and wishes to die in turn, none like another. */
function tinyCorpus(rows = 300): string {
	return Array.from({ length: rows }, (_, at) => {
		const thing = THINGS[at % 5];
		const time = TIMES[Math.floor(at / 5) % 5];
		if (at % 3 === 0) return `R0\t-\tlovely news about ${thing} ${time} number ${at}`;
		if (at % 3 === 1) return `R1-mid\tdp=0.6\tgrey fog swallows me ${time} beside ${thing} ${at}`;
		return `R2\tsi=0.9\tthe lanterns are out and i leave for good ${time} ${at}`;
	}).join("\n");
}

const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

describe("training", () => {
	let trained: Awaited<ReturnType<typeof trainFromCorpus>>;
	beforeAll(async () => {
		trained = await trainFromCorpus([{ name: "tiny.tsv", text: tinyCorpus() }]);
	});

	test("twice gives the same bytes; one row more gives others", async () => {
		expect(hash((await trainFromCorpus([{ name: "other-name.tsv", text: tinyCorpus() }])).bytes)).toBe(hash(trained.bytes));
		expect(hash((await trainFromCorpus([{ name: "tiny.tsv", text: tinyCorpus(301) }])).bytes)).not.toBe(hash(trained.bytes));
		expect(trained.rows).toBe(300);
	});

	test("the model learns what the rules can not read, and says so in the evidence", () => {
		const lexicon = loadLexicon();
		const version = { name: "test", version: "0", lexicon: "", model: "" };
		const content = "the lanterns are out and i leave for good tomorrow";
		const label = (withModel: boolean) => {
			const scorer = createScorerFrom({ lexicon, version, model: withModel ? parseModel(trained.bytes) : undefined });
			return scorer.step(scorer.start(), { role: "user", content }).label;
		};
		expect(label(false).prs).toBeLessThan(label(true).prs);
		expect(label(true).scores.suicidal_ideation).toBeGreaterThan(0.5);
		expect(label(true).evidence.map(({ rule }) => rule)).toContain("model");
	});

	test("figures on held-out folds show that it was learnt; signals without rows give none", () => {
		expect(trained.heldOut.figures["auroc(R2)"]).toBeGreaterThan(0.95);
		expect(trained.heldOut.figures["auroc(psychosis)"]).toBeNull();
	});

	test("figures by fold and reliability count every row once", () => {
		expect(trained.heldOut.folds).toHaveLength(3);
		for (const fold of trained.heldOut.folds) expect(fold["auroc(R2)"]).toBeGreaterThan(0.9);
		for (const bins of Object.values(trained.heldOut.reliability)) expect(bins.reduce((sum, { rows }) => sum + rows, 0)).toBe(300);
	});

	test("too few rows are refused", async () => {
		await expect(trainFromCorpus([{ name: "few.tsv", text: tinyCorpus(100) }])).rejects.toThrow(expect.objectContaining({ code: "usage" }));
	});

	test.each([
		["cut off", (bytes: Uint8Array) => bytes.slice(0, -1)],
		["another file", (bytes: Uint8Array) => bytes.map((byte, at) => (at === 0 ? byte ^ 1 : byte))],
		["empty", () => new Uint8Array(0)],
	])("a model file that is %s is refused", (_, damage) => {
		expect(() => parseModel(damage(trained.bytes))).toThrow(expect.objectContaining({ code: "invalid_model" }));
	});
});
