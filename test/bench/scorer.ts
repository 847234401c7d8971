/**
 * `npm run bench:scorer`: what a turn costs the scoring core, in microseconds a 100 characters, for texts of 10 B to 1 MB, ordinary and hostile,
 * by the rules alone and with the model. The least of many repetitions is shown: on a shared machine means say more about the neighbours.
 * Cost has to be linear in the length of any text, so the last column (1 MB against 10 KB) should stay near 1.
 */
import { readFileSync } from "node:fs";
import { openScorer } from "../../src/lexicon/open-scorer.js";
import { parseCorpus } from "../../src/training/corpus.js";
import type { Scorer } from "../../src/types.js";

const SIZES = [10, 100, 1_000, 10_000, 100_000, 1_000_000];
/** Characters read for one measurement, and measurements of which the least counts. */
const CHARACTERS = 200_000;
const REPETITIONS = 12;
/** A case that takes longer is stopped, and said to be. */
const MOST_SECONDS = 20;

const ordinary = rows("ordinary.tsv");
const grave = rows("suicidality-plain.tsv");

/** Text of any length; `at` makes texts of one size differ. */
const TEXTS: Record<string, (size: number, at: number) => string> = {
	ordinary: (size, at) => cut(ordinary, size, at),
	"of suicide": (size, at) => cut(grave, size, at),
	"one mention, again and again": (size) => repeat("i want to kill myself ", size),
	"mentions and negations": (size) => repeat("not i don't want to die but never kill myself ", size),
	"the same short word": (size) => repeat("i ", size),
	"letters with spaces": (size) => repeat("k i l l m y s e l f ", size),
	"no spaces": (size) => repeat("wanttodie", size),
	"one letter": (size) => repeat("a", size),
	emoji: (size) => repeat("😭💀", size),
	accents: (size) => repeat("ḱ\u0301\u0302\u0303ill ", size),
	punctuation: (size) => repeat("?!. ", size),
	digits: (size) => repeat("1d13 ", size),
};

main();

function main(): void {
	const scorers = { rules: openScorer({ modelFile: null }), model: openScorer() };
	process.stdout.write(`Node ${process.version}; microseconds a 100 characters, least of ${REPETITIONS}\n`);
	process.stdout.write(`${"".padEnd(37)}${SIZES.map((size) => toLabel(size).padStart(8)).join("")}   1 MB / 10 KB\n`);
	for (const [name, make] of Object.entries(TEXTS)) {
		for (const [kind, scorer] of Object.entries(scorers)) {
			const costs = SIZES.map((size) => measure(scorer, size, make));
			const growth = (costs.at(-1) as number) / (costs[3] as number);
			process.stdout.write(`${name.padEnd(30)} ${kind.padEnd(6)}${costs.map((cost) => cost.toFixed(1).padStart(8)).join("")}   ${growth.toFixed(2)}\n`);
		}
	}
	process.stdout.write(`peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB\n`);
}

/** Least microseconds a 100 characters; NaN when it takes too long. */
function measure(scorer: Scorer, size: number, make: (size: number, at: number) => string): number {
	const count = Math.max(1, Math.min(2000, Math.floor(CHARACTERS / size)));
	const turns = Array.from({ length: count }, (_, at) => ({ role: "user" as const, content: make(size, at) }));
	const characters = turns.reduce((sum, { content }) => sum + content.length, 0);
	const start = scorer.start();
	let least = Number.POSITIVE_INFINITY;
	const begun = performance.now();
	for (let repetition = 0; repetition < REPETITIONS; repetition++) {
		const from = performance.now();
		for (const turn of turns) scorer.step(start, turn);
		least = Math.min(least, performance.now() - from);
		if (performance.now() - begun > MOST_SECONDS * 1000) break;
	}
	return (least * 1000) / (characters / 100);
}

function rows(name: string): string[] {
	const file = new URL(`../../fixtures/corpus/${name}`, import.meta.url);
	return parseCorpus(readFileSync(file, "utf8"), name).map(({ turns }) => (turns.at(-1) as { content: string }).content);
}

/** A piece of the rows one after another. Through JSON, as texts come from files: a flat string. */
function cut(texts: readonly string[], size: number, at: number): string {
	let text = "";
	for (let index = at * 7; text.length < size; index++) text += `${texts[index % texts.length]} `;
	return flat(text.slice(0, size));
}

function repeat(piece: string, size: number): string {
	return flat(piece.repeat(Math.ceil(size / piece.length)).slice(0, size));
}

function flat(text: string): string {
	return JSON.parse(JSON.stringify(text)) as string;
}

function toLabel(size: number): string {
	if (size >= 1_000_000) return `${size / 1_000_000} MB`;
	return size >= 1_000 ? `${size / 1_000} KB` : `${size} B`;
}
