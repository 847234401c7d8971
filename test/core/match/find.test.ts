import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AutomatonBuilder } from "../../../src/core/match/automaton.js";
import { type ClassTable, PatternCompiler } from "../../../src/core/match/compile.js";
import { Matcher } from "../../../src/core/match/find.js";
import type { Limits } from "../../../src/core/match/lazy-automaton.js";
import { type Element, parsePattern } from "../../../src/core/match/pattern.js";
import { createTokeniser } from "../../../src/core/text/tokenise.js";
import { TokenBuffer } from "../../../src/core/text/tokens.js";
import { LabelError } from "../../../src/errors.js";

const CLASSES: ClassTable = { x: ["aa", "bb cc"], y: ["dd", "@x"], z: ["cc", "bb bb aa"] };

/** Compiles patterns (numbered in order) and returns functions from text to "id:first-until" of every match, sorted or as reported, and to the work done. */
function compile(
	patterns: readonly string[],
	classes: ClassTable = CLASSES,
	spellings: Record<string, string> = {},
	limits?: Limits,
): { find(text: string): string[]; raw(text: string): string[]; work(text: string): number } {
	const compiler = new PatternCompiler(classes, spellings);
	const automaton = new AutomatonBuilder();
	patterns.forEach((pattern, id) => void compiler.add(pattern, id, automaton));
	const matcher = new Matcher(compiler.finish(automaton)[0], limits);
	const tokeniser = createTokeniser(compiler.vocabulary);
	const tokens = new TokenBuffer();
	const raw = (text: string): string[] => {
		tokeniser.tokenise(text, tokens);
		const matches = matcher.find(tokens);
		return Array.from({ length: matches.count }, (_, at) => `${matches.id[at]}:${matches.first[at]}-${matches.until[at]}`);
	};
	const run = (text: string): string[] => raw(text).sort();
	return {
		find: run,
		raw,
		work: (text) => {
			run(text);
			return matcher.work;
		},
	};
}

/** The phrases that an element may match. */
function phrasesOf(element: Element): string[][] {
	if (element.kind === "word") return [[element.word]];
	if (element.kind === "any") return element.members.flatMap(phrasesOf);
	if (element.kind === "class")
		return (CLASSES[element.name] ?? []).flatMap((member) =>
			member.startsWith("@") ? phrasesOf({ kind: "class", name: member.slice(1) }) : [member.split(" ")],
		);
	return [];
}

/** Where a sequence that begins at `at` may end: tried out step by step, with no automaton. */
function endsOf(sequence: readonly Element[], words: readonly string[], at: number): number[] {
	const [element, ...rest] = sequence;
	if (element === undefined) return [at];
	if (element.kind === "start") return at === 0 ? endsOf(rest, words, at) : [];
	if (element.kind === "end") return at === words.length ? endsOf(rest, words, at) : [];
	if (element.kind === "gap") {
		const ends: number[] = [];
		for (let skip = 0; skip <= element.most && at + skip <= words.length; skip++) ends.push(...endsOf(rest, words, at + skip));
		return ends;
	}
	return phrasesOf(element).flatMap((phrase) => (phrase.every((word, offset) => words[at + offset] === word) ? endsOf(rest, words, at + phrase.length) : []));
}

function findNaively(patterns: readonly string[], sentences: readonly (readonly string[])[]): string[] {
	const found = new Set<string>();
	let offset = 0;
	for (const words of sentences) {
		patterns.forEach((pattern, id) => {
			for (const sequence of parsePattern(pattern))
				for (let at = 0; at < words.length; at++) for (const end of endsOf(sequence, words, at)) found.add(`${id}:${offset + at}-${offset + end}`);
		});
		offset += words.length;
	}
	return [...found].sort();
}

describe("matching", () => {
	test("finds every match of every pattern, as a naive matcher does", () => {
		const atom = fc.constantFrom("aa", "bb", "cc", "dd", "aa/cc", "@x", "@y", "@z", "@x/dd", "bb?", "@y?", "(aa bb|cc)", "(dd|@x)?");
		const gap = fc.constantFrom("...", "..1", "..5");
		const middle = fc.array(fc.oneof({ weight: 4, arbitrary: atom }, { weight: 1, arbitrary: gap }), { maxLength: 3 });
		const word = fc.constantFrom("aa", "bb", "cc", "dd");
		const pattern = fc
			.tuple(fc.constantFrom("", "< "), word, middle, fc.constantFrom("", " >"))
			.map(([start, first, rest, end]) => `${start}${[first, ...rest].join(" ")}${end}`);
		const sentence = fc.array(fc.constantFrom("aa", "bb", "cc", "dd", "zz"), { minLength: 1, maxLength: 7 });
		fc.assert(
			fc.property(fc.array(pattern, { minLength: 1, maxLength: 5 }), fc.array(sentence, { minLength: 1, maxLength: 3 }), (patterns, sentences) => {
				const text = sentences.map((words) => words.join(" ")).join("! ");
				expect(compile(patterns).find(text)).toEqual(findNaively(patterns, sentences));
			}),
			{ numRuns: 400 },
		);
	});

	test("finds the same when it has to forget states and transitions again and again", () => {
		const patterns = ["aa ..5 bb", "@x @y", "< dd ... @z >", "(aa bb|cc) ..2 @x/dd", "bb aa? cc >"];
		const sentence = fc.array(fc.constantFrom("aa", "bb", "cc", "dd", "zz"), { minLength: 5, maxLength: 40 });
		const small = compile(patterns, CLASSES, {}, { states: 8, transitions: 16, numbers: 64 });
		const large = compile(patterns);
		let again = 0;
		fc.assert(
			fc.property(fc.array(sentence, { minLength: 2, maxLength: 4 }), (sentences) => {
				const text = sentences.map((words) => words.join(" ")).join("! ");
				expect(small.find(text)).toEqual(findNaively(patterns, sentences));
				large.find(text);
				again += small.work(text) - large.work(text);
			}),
			{ numRuns: 200 },
		);
		// What was forgotten had to be worked out again.
		expect(again).toBeGreaterThan(1000);
	});

	test("each match is reported once, by rising first word", () => {
		expect(compile(["aa ..3 bb", "(aa|cc aa)? bb"]).raw("aa aa bb")).toEqual(["0:0-3", "0:1-3", "1:1-3", "1:2-3"]);
		expect(compile(["aa|aa >"]).raw("aa")).toEqual(["0:0-1"]);
	});

	test("words are whole words, in one sentence", () => {
		const { find } = compile(["kill myself"]);
		expect(find("kill myself")).toEqual(["0:0-2"]);
		expect(find("skill myself")).toEqual([]);
		expect(find("i could kill. Myself i like")).toEqual([]);
	});

	test("the spelling of a text and of a pattern meet", () => {
		const { find } = compile(["going to die", "so 😭", "idk"], {}, { gonna: "going to", idk: "i do not know" });
		expect(find("GONNA d!e")).toEqual(["0:0-3"]);
		expect(find("so 😭")).toEqual(["1:0-2"]);
		expect(find("I don't know")).toEqual([]);
		expect(find("i do not know")).toEqual(["2:0-4"]);
	});

	test("work grows with the text, not with its square, however hostile, whether states are kept or made again", () => {
		const patterns = ["aa ..8 aa ..8 aa ..8 aa ..8 bb", "@x ..8 @y ..8 @z ..8 @x", "< aa ... aa ... aa >"];
		const words = ["aa", "bb", "cc", "dd", "zz", "aa bb", "cc dd aa"];
		const varied = (count: number): string => Array.from({ length: count }, (_, at) => words[(at * at + 3 * at) % words.length]).join(" ");
		for (const limits of [undefined, { states: 8, transitions: 16, numbers: 64 }]) {
			for (const text of [(count: number) => "aa ".repeat(count), varied]) {
				const { work } = compile(patterns, CLASSES, {}, limits);
				work(text(2000));
				const short = work(text(2000));
				const long = work(text(8000));
				expect(short).toBeGreaterThan(2000);
				expect(long / short).toBeLessThan(4.5);
				expect(long / 8000).toBeLessThan(1000);
			}
		}
	});

	test("many matches in one text are all kept", () => {
		expect(compile(["aa", "aa aa"]).find("aa ".repeat(1000))).toHaveLength(1999);
	});
});

describe("a lexicon that can not be compiled is refused by name", () => {
	test.each([
		["an unknown class", "@nowhere aa", {}, "there is no class @nowhere"],
		["a class that contains itself", "@loop", { loop: ["aa", "@loop"] }, "@loop contains itself"],
		["classes that contain each other", "@one", { one: ["@two"], two: ["@one"] }, "contains itself"],
		["a class inside a phrase of a class", "@one", { one: ["my @two"], two: ["mum"] }, "has a class inside a phrase"],
		["an unknown class in a class", "@one", { one: ["@two"] }, "there is no class @two"],
	])("%s", (_, pattern, classes, problem) => {
		expect(() => compile([pattern], classes as ClassTable)).toThrow(LabelError);
		expect(() => compile([pattern], classes as ClassTable)).toThrow(problem);
	});
});
