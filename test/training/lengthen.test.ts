import { expect, test } from "vitest";
import { createEngine } from "../../src/core/scorer.js";
import { loadLexicon } from "../../src/lexicon/load-lexicon.js";
import type { Example } from "../../src/training/corpus.js";
import { lengthen } from "../../src/training/lengthen.js";
import { FOLDS, prepare } from "../../src/training/train.js";

const engine = createEngine({ lexicon: loadLexicon(), version: { name: "test", version: "", lexicon: "", model: "" } });
const calm = (at: number): Example => ({ turns: [{ role: "user", content: `the ${at}th kettle is new` }], level: 0, scores: new Array(10).fill(0) });
const grave = (at: number): Example => ({ turns: [{ role: "user", content: `grave message ${at}!` }], level: 2, scores: [0.7, ...new Array(9).fill(0)] });
const inChat = (at: number): Example => ({ ...grave(at), turns: [{ role: "assistant", content: "What then?" }, ...grave(at).turns] });
const rows = prepare(
	Array.from({ length: 1200 }, (_, at) => [calm, grave, inChat][at % 3]?.(at) as Example),
	engine,
);
const foldOf = new Map(rows.map(({ example, fold }) => [example.turns.at(-1)?.content.replace(/!$/, ""), fold]));

test("a message stands whole among one to four calm ones of its own fold, with its own label and context", () => {
	const longer = lengthen(rows, engine);
	expect(new Set(longer.map(({ fold }) => fold)).size).toBe(FOLDS);
	for (const { example, fold, words } of longer) {
		const messages = (example.turns.at(-1)?.content ?? "").split(/(?<=[.!]) /);
		const graveOnes = messages.filter((message) => message.startsWith("grave"));
		expect(messages.length).toBeGreaterThan(1);
		expect(messages.length).toBeLessThanOrEqual(5);
		expect(graveOnes.length).toBe(example.level === 0 ? 0 : 1);
		expect(example.scores[0]).toBe(example.level === 0 ? 0 : 0.7);
		expect(new Set(messages.map((message) => foldOf.get(message.replace(/[.!]$/, ""))))).toEqual(new Set([fold]));
		expect(words.length).toBeGreaterThan(8);
	}
	expect(longer.filter(({ example }) => example.turns.length === 2).length).toBeGreaterThan(50);
});

test("a quarter of the rows with risk, fewer calm ones, always the same", () => {
	const longer = lengthen(rows, engine);
	const share = (level: number): number =>
		longer.filter(({ example }) => example.level === level).length / rows.filter(({ example }) => example.level === level).length;
	expect(share(2)).toBeCloseTo(0.25, 1);
	expect(share(0)).toBeCloseTo(0.08, 1);
	expect(lengthen(rows, engine)).toEqual(longer);
});
