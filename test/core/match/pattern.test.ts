import { describe, expect, test } from "vitest";
import { type Element, parsePattern } from "../../../src/core/match/pattern.js";
import { LabelError } from "../../../src/errors.js";

/** An element as it is written. */
function show(element: Element): string {
	if (element.kind === "word") return element.word;
	if (element.kind === "class") return `@${element.name}`;
	if (element.kind === "any") return element.members.map(show).join("/");
	if (element.kind === "gap") return `..${element.most}`;
	return element.kind === "start" ? "<" : ">";
}

const sequences = (pattern: string): string[] => parsePattern(pattern).map((sequence) => sequence.map(show).join(" "));

describe("a pattern stands for plain sequences", () => {
	test.each([
		["words", "kill Myself", ["kill myself"]],
		["classes", "@i @want to die", ["@i @want to die"]],
		["alternatives of words", "so/really tired", ["so/really tired"]],
		["alternatives of classes", "@pills/rope here", ["@pills/rope here"]],
		["alternatives of phrases", "(in my|on the) bed", ["in my bed", "on the bed"]],
		["alternatives without brackets", "numb|so empty", ["numb", "so empty"]],
		["an optional word", "so? tired", ["tired", "so tired"]],
		["an optional class", "@so? tired", ["tired", "@so tired"]],
		["an optional alternative", "so/very? tired", ["tired", "so/very tired"]],
		["an optional bracket", "tired (of it|of all)?", ["tired", "tired of it", "tired of all"]],
		["brackets in brackets", "a (b (c|d)|e)", ["a b c", "a b d", "a e"]],
		["a gap", "kill ... myself", ["kill ..3 myself"]],
		["a measured gap", "kill ..8 myself", ["kill ..8 myself"]],
		["anchors", "< numb >", ["< numb >"]],
		["apostrophes are dropped", "can't won’t", ["cant wont"]],
		["signs inside words", "d*e k!ll $uicide 😭", ["d*e k!ll $uicide 😭"]],
		["white space of any kind", "  a \n b ", ["a b"]],
	])("%s", (_, pattern, expected) => expect(sequences(pattern)).toEqual(expected));
});

describe("a pattern that can not be read is refused by name", () => {
	test.each([
		["nothing", "", "empty"],
		["white space", "   ", "empty"],
		["an open bracket", "a (b|c", "not closed"],
		["a closing bracket too many", "a b)", 'unexpected ")"'],
		["an optional bracket that was never opened", "a )?", 'unexpected ")?"'],
		["a gap of no words", "a ..0 b", "1 to 8 words"],
		["too wide a gap", "a ..9 b", "1 to 8 words"],
		["a gap that is no number", "a ..x b", "is no word"],
		["a hyphen", "self-harm", "is no word"],
		["a question mark inside a word", "a?b", "is no word"],
		["a lone question mark", "a ? b", "is no word"],
		["an empty alternative", "a/ b", "is no word"],
		["only optional words", "a? b?", "without any word"],
		["only a gap", "...", "without any word"],
		["only anchors", "< >", "without any word"],
		["a gap before the first word", "... numb", "begin with a gap"],
		["a gap behind an optional first word", "so/very? ..1 numb", "begin with a gap"],
		["an empty bracket", "()", "without any word"],
		["an explosion of alternatives", "a? b? c? d? e? f? g? h? i? j? k? l? m? n", "more than 4096"],
	])("%s", (_, pattern, problem) => {
		const parse = (): unknown => parsePattern(pattern);
		expect(parse).toThrow(LabelError);
		expect(parse).toThrow(problem);
	});
});
