import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashWord } from "../../../src/core/text/tokens.js";
import { makeVocabulary, readTokens } from "../../helpers/tokens.js";

const vocabulary = makeVocabulary(
	["i", "want", "to", "die", "kill", "myself", "suicide", "so", "sad", "please", "feel", "good", "is", "me", "dont", "e1f62d"],
	{
		gonna: "going to",
		idk: "i do not know",
		u: "you",
	},
);
const words = (content: string): string[] => readTokens(content, vocabulary).tokens.map(({ word, text }) => word || `?${text}`);

describe("tokenise", () => {
	test.each([
		["plain words", "I want to DIE", ["i", "want", "to", "die"]],
		["apostrophes are dropped", "don't dont don’t", ["dont", "dont", "dont"]],
		["accents are folded", "dïé süïcidé", ["die", "suicide"]],
		["combining accents too", "di\u0301e", ["die"]],
		["fullwidth letters", "ｋｉｌｌ ｍｙｓｅｌｆ", ["kill", "myself"]],
		["mathematical letters", "𝗸𝗶𝗹𝗹 𝓶𝔂𝓼𝓮𝓵𝓯", ["kill", "myself"]],
		["letters in squares", "🅂🄰🄳", ["sad"]],
		["look-alike Cyrillic letters", "ѕuісіdе", ["suicide"]],
		["zero-width characters", "su\u200bi\u200dci\ufeffde", ["suicide"]],
		["soft hyphens", "sui\u00adcide", ["suicide"]],
		["leet digits", "k1ll mys3lf", ["kill", "myself"]],
		["leet signs", "k!ll $uicide d*e", ["kill", "suicide", "?d*e"]],
		["repeated letters", "diiiie sooooo saaaad", ["die", "so", "sad"]],
		["doubled letters that belong stay", "kill feel good", ["kill", "feel", "good"]],
		["a spelling that stands for several words", "idk gonna", ["i", "do", "not", "know", "going", "to"]],
		["an emoji is a word", "die😭😭", ["die", "e1f62d", "e1f62d"]],
		["a skin tone is not", "👍🏽", ["?e1f44d"]],
		["spelt-out words", "k i l l  m y s e l f", ["kill", "myself"]],
		["spelt out with stops and dashes", "s.u.i.c.i.d.e or d-i-e", ["suicide", "?or", "?d", "i", "?e"]],
		["initials stay apart", "j r r q", ["?j", "?r", "?r", "?q"]],
		["other scripts", "我想死", ["?我想死"]],
		["nothing but signs", "... --- ???", []],
	])("%s", (_, content, expected) => expect(words(content)).toEqual(expected));

	test("sentences end at ! ? line breaks, and at a full stop before white space only", () => {
		const { tokens, buffer } = readTokens("i want. to die! is 3.50 so?\nme", vocabulary);
		expect(tokens.map(({ sentence }) => sentence)).toEqual([0, 0, 1, 1, 2, 2, 2, 2, 3]);
		expect([...buffer.question.slice(0, buffer.sentences)]).toEqual([0, 0, 1, 0]);
	});

	test("a question mark after an ended sentence still makes it a question", () => {
		const { buffer } = readTokens("want to die!?", vocabulary);
		expect(buffer.sentences).toBe(1);
		expect(buffer.question[0]).toBe(1);
	});

	test("quotation marks hold their words until they close or the line ends", () => {
		const quoted = (content: string): boolean[] => readTokens(content, vocabulary).tokens.map(({ isQuoted }) => isQuoted);
		expect(quoted('so "want to" die')).toEqual([false, true, true, false]);
		expect(quoted("so “want to” die")).toEqual([false, true, true, false]);
		expect(quoted('so "want\ndie')).toEqual([false, true, false]);
	});

	test("a spelling's words share the offsets of what was written", () => {
		const { tokens } = readTokens("well gonna die", vocabulary);
		expect(tokens.map(({ source }) => source)).toEqual(["well", "gonna", "gonna", "die"]);
	});

	test("letters, digits and emoji are counted for the language detector", () => {
		const { buffer } = readTokens("ab 12 😭 死", vocabulary);
		expect([buffer.latinLetters, buffer.digits, buffer.symbols, buffer.foreignLetters]).toEqual([2, 2, 1, 1]);
	});
});

describe("tokenise, whatever the text", () => {
	const hostile = fc.oneof(
		fc.string({ unit: "binary", maxLength: 300 }),
		fc.string({ unit: "grapheme", maxLength: 200 }),
		fc.array(fc.nat(0xffff), { maxLength: 200 }).map((units) => String.fromCharCode(...units)),
		fc
			.array(fc.constantFrom("k", "i", "l", "l", " ", ".", "u", "'", '"', "!", "?", "$", "@", "*", "\u200b", "ﷺ", "😭", "🏽", "１", "é", "\ud800", "\n"), {
				maxLength: 200,
			})
			.map((parts) => parts.join("")),
	);

	test("offsets lie in the text, in order, on what was read", () => {
		fc.assert(
			fc.property(hostile, (content) => {
				const { tokens, buffer } = readTokens(content, vocabulary);
				let before = { start: 0, end: 0, sentence: 0 };
				for (const token of tokens) {
					expect(token.end).toBeGreaterThan(token.start);
					expect(token.end).toBeLessThanOrEqual(content.length);
					const isSame = token.start === before.start && token.end === before.end;
					expect(isSame || token.start >= before.end).toBe(true);
					expect(token.sentence).toBeGreaterThanOrEqual(before.sentence);
					expect(token.source).not.toMatch(/\s$/);
					before = token;
				}
				expect(buffer.sentences).toBeGreaterThanOrEqual(buffer.count > 0 ? 1 : 0);
			}),
			{ numRuns: 400 },
		);
	});

	test("known words are found wherever they stand, and sliced exactly", () => {
		const noise = fc.constantFrom(" ", ", ", "... ", " \u200b", "! ", " 😭 ", "\n", " (", ") ", ' "');
		fc.assert(
			fc.property(fc.array(fc.tuple(noise, fc.constantFrom("kill", "myself", "suicide", "want")), { minLength: 1, maxLength: 12 }), (parts) => {
				const content = parts.map(([gap, word]) => gap + word).join("");
				const known = readTokens(content, vocabulary).tokens.filter(({ word }) => word !== "e1f62d");
				expect(known.map(({ source }) => source)).toEqual(parts.map(([, word]) => word));
			}),
		);
	});

	test("the buffer is filled anew: what was read before leaves no trace", () => {
		fc.assert(
			fc.property(hostile, hostile, (first, second) => {
				const alone = readTokens(second, vocabulary);
				readTokens(first, vocabulary);
				expect(readTokens(second, vocabulary).tokens).toEqual(alone.tokens);
			}),
			{ numRuns: 100 },
		);
	});

	test("very long words are cut, so that no text makes one endless token", () => {
		const { tokens } = readTokens("x1y2".repeat(5000), vocabulary);
		expect(tokens.length).toBeGreaterThan(400);
		expect(Math.max(...tokens.map(({ text }) => text.length))).toBeLessThan(100);
	});

	test("hashes are those of the normalised word", () => {
		const { buffer } = readTokens("K1LL", vocabulary);
		expect(buffer.hash[0]).toBe(hashWord("kill"));
	});
});
