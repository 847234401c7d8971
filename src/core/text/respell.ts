import { hashChars, type TokenBuffer } from "./tokens.js";
import type { Vocabulary } from "./vocabulary.js";

/** Letters that digits and signs stand for in "leet" spelling, by their ASCII code; 0 for all others. */
const LEET = new Uint8Array(128);
for (const [sign, letter] of Object.entries({ 0: "o", 1: "i", 3: "e", 4: "a", 5: "s", 7: "t", "@": "a", $: "s", "!": "i" }))
	LEET[sign.charCodeAt(0)] = letter.charCodeAt(0);

/**
 * Tries to read an unknown word as a known one: repeated letters ("sooo", "diee"), then leet ("k1ll").
 * Rewrites the word's characters in place to the reading found (repeats are folded to two letters at most in any case,
 * so that "nooo" and "noooooo" give one hash). Returns the vocabulary id, 0 when still unknown.
 */
export function respell(tokens: TokenBuffer, start: number, vocabulary: Vocabulary): number {
	const chars = tokens.chars;
	let hasDouble = false;
	let hasRun = false;
	let hasLeet = false;
	let hasLetter = false;
	for (let at = start; at < tokens.charCount; at++) {
		const code = chars[at] as number;
		if (at > start && code === chars[at - 1]) {
			hasDouble = true;
			if (at > start + 1 && code === chars[at - 2]) hasRun = true;
		}
		if (code >= 97) hasLetter = true;
		else if (LEET[code] !== 0) hasLeet = true;
	}
	if (!hasLetter) return 0;
	let word = 0;
	if (hasLeet) {
		const original = chars.slice(start, tokens.charCount);
		for (let at = start; at < tokens.charCount; at++) chars[at] = LEET[chars[at] as number] || (chars[at] as number);
		word = lookUp(tokens, start, vocabulary);
		if (word !== 0) return word;
		chars.set(original, start);
	}
	if (hasRun) {
		squeeze(tokens, start, 2);
		word = lookUp(tokens, start, vocabulary);
		if (word !== 0) return word;
	}
	if (hasDouble && (hasRun || tokens.charCount - start > 3)) {
		// "diie", "pleasee": doubled letters are only folded when that gives a known word.
		const original = chars.slice(start, tokens.charCount);
		if (squeeze(tokens, start, 1)) {
			word = lookUp(tokens, start, vocabulary);
			if (word !== 0) return word;
			chars.set(original, start);
			tokens.charCount = start + original.length;
		}
	}
	return 0;
}

/** Shortens runs of one character to `most`; true when anything changed. */
function squeeze(tokens: TokenBuffer, start: number, most: number): boolean {
	const chars = tokens.chars;
	let to = start;
	let run = 0;
	for (let at = start; at < tokens.charCount; at++) {
		run = at > start && chars[at] === chars[at - 1] ? run + 1 : 1;
		if (run <= most) chars[to++] = chars[at] as number;
	}
	const changed = to !== tokens.charCount;
	tokens.charCount = to;
	return changed;
}

function lookUp(tokens: TokenBuffer, start: number, vocabulary: Vocabulary): number {
	return vocabulary.find(hashChars(tokens.chars, start, tokens.charCount), tokens.chars, start, tokens.charCount);
}
