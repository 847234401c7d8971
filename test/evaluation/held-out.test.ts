import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseGold } from "../../src/evaluation/gold.js";
import { parseCorpus } from "../../src/training/corpus.js";

const fixtures = fileURLToPath(new URL("../../fixtures/", import.meta.url));

test.each([
	["held-out.jsonl", 1000],
	["held-out-2.jsonl", 700],
])("no message that is labelled in fixtures/%s stands in the corpus that the model learns from", (file, least) => {
	const learnt = new Set(
		readdirSync(`${fixtures}corpus`)
			.filter((name) => name.endsWith(".tsv"))
			.flatMap((name) => parseCorpus(readFileSync(`${fixtures}corpus/${name}`, "utf8"), name))
			.map(({ turns }) => key(turns.at(-1)?.content ?? "")),
	);
	const heldOut = parseGold(readFileSync(`${fixtures}${file}`, "utf8"), file);
	const judged = heldOut.map(({ turns }) => turns.filter(({ gold }) => gold !== undefined));
	expect(judged.every((turns) => turns.length === 1)).toBe(true);
	// Answers of a word or two mean something only in their talk.
	const messages = judged.flatMap((turns) => turns.map(({ content }) => key(content))).filter((text) => text.split(" ").length > 3);
	expect(messages.length).toBeGreaterThan(least);
	expect(messages.filter((text) => learnt.has(text))).toHaveLength(0);
});

/** A message without what typing changes. */
function key(content: string): string {
	return content
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N}]+/gu, " ")
		.trim();
}
