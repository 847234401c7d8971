import { expect, test } from "vitest";
import { createEngine } from "../../src/core/scorer.js";
import { loadLexicon } from "../../src/lexicon/load-lexicon.js";
import type { Example } from "../../src/training/corpus.js";
import { putInTalk } from "../../src/training/put-in-talk.js";
import { FOLDS, prepare } from "../../src/training/train.js";

const engine = createEngine({ lexicon: loadLexicon(), version: { name: "test", version: "", lexicon: "", model: "" } });
const none = new Array(10).fill(0);
const calm = (at: number): Example => ({ turns: [{ role: "user", content: `the ${at}th kettle is new` }], level: 0, scores: none });
const grave = (at: number): Example => ({ turns: [{ role: "user", content: `grave message ${at}` }], level: 2, scores: [0.7, ...none.slice(1)] });
const chat = (at: number): Example => ({
	turns: [{ role: "user", content: "a table" }, { role: "assistant", content: `For ${at} people?` }, ...calm(at).turns],
	level: 0,
	scores: none,
});
const long = (at: number): Example => ({ ...calm(at), turns: [{ role: "user", content: `long ${"kettle ".repeat(40)}${at}` }] });
const check = (at: number): Example => ({
	turns: [{ role: "assistant", content: `Are you thinking about suicide, ${at}?` }, ...calm(at).turns],
	level: 0,
	scores: none,
});
const rows = prepare(
	Array.from({ length: 2000 }, (_, at) => [calm, grave, chat, check, long][at % 5]?.(at) as Example),
	engine,
);
const foldOf = new Map(rows.flatMap(({ example, fold }) => example.turns.map(({ content }) => [content, fold])));

test("a row without context follows one or two calm exchanges of its own fold, with its own label", () => {
	const inTalk = putInTalk(rows, engine);
	expect(new Set(inTalk.map(({ fold }) => fold)).size).toBe(FOLDS);
	for (const { example, fold, before } of inTalk) {
		expect(example.turns.map(({ role }) => role).slice(-3)).toEqual(["user", "assistant", "user"]);
		const earlier = example.turns.slice(0, -1).map(({ content }) => content);
		expect(earlier.every((content) => /kettle is|a table|people/.test(content))).toBe(true);
		expect(new Set(example.turns.map(({ content }) => foldOf.get(content)))).toEqual(new Set([fold]));
		expect(example.level === 2).toBe(example.turns.at(-1)?.content.startsWith("grave"));
		expect(before.user?.length).toBe(5);
		expect(before.assistant?.length).toBe(3);
	}
	const share = (turns: number): number => inTalk.filter(({ example }) => example.turns.length === turns).length / inTalk.length;
	expect(share(5)).toBeLessThan(0.5);
	expect(share(5)).toBeGreaterThan(0.15);
	expect(share(3) + share(5)).toBe(1);
});

test("twice as many calm rows as grave ones, always the same", () => {
	const inTalk = putInTalk(rows, engine);
	const grave = inTalk.filter(({ example }) => example.level === 2).length / 400;
	const calm = inTalk.filter(({ example }) => example.level === 0).length / 800;
	expect(calm / grave).toBeGreaterThan(1.2);
	expect(calm / grave).toBeLessThan(2.9);
	expect(putInTalk(rows, engine)).toEqual(inTalk);
});
