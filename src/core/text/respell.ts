import { FNV_OFFSET, FNV_PRIME, type TokenBuffer } from "./tokens.js";
import type { Vocabulary } from "./vocabulary.js";

/** Letters that digits and signs stand for in "leet" spelling. */
const LEET = new Map(
	[..."0o1i3e4a5s7t@a$s!i"].reduce<[number, number][]>((pairs, char, at, all) => {
		if (at % 2 === 0) pairs.push([char.charCodeAt(0), (all[at + 1] as string).charCodeAt(0)]);
		return pairs;
	}, []),
);

/**
 * Tries to read an unknown word as a known one: repeated letters ("sooo", "diee"), then leet ("k1ll").
 * Rewrites the word's characters in place to the reading found (repeats are folded to two letters at most in any case,
 * so that "nooo" and "noooooo" give one hash). Returns the vocabulary id, 0 when still unknown.
 */
export function respell(tokens: TokenBuffer, start: number, vocabulary: Vocabulary): number {
	const chars = tokens.chars;
	let hasRun = false;
	let hasLeet = false;
	let hasLetter = false;
	for (let at = start; at < tokens.charCount; at++) {
		const code = chars[at] as number;
		if (at > start + 1 && code === chars[at - 1] && code === chars[at - 2]) hasRun = true;
		if (code >= 97) hasLetter = true;
		else if (LEET.has(code)) hasLeet = true;
	}
	if (!hasLetter) return 0;
	let word = 0;
	if (hasLeet) {
		const original = chars.slice(start, tokens.charCount);
		for (let at = start; at < tokens.charCount; at++) chars[at] = LEET.get(chars[at] as number) ?? (chars[at] as number);
		word = lookUp(tokens, start, vocabulary);
		if (word !== 0) return word;
		chars.set(original, start);
	}
	if (hasRun) {
		squeeze(tokens, start, 2);
		word = lookUp(tokens, start, vocabulary);
		if (word !== 0) return word;
	}
	if (hasRun || tokens.charCount - start > 3) {
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
	let hash = FNV_OFFSET;
	for (let at = start; at < tokens.charCount; at++) hash = Math.imul(hash ^ (tokens.chars[at] as number), FNV_PRIME);
	return vocabulary.find(hash, tokens.chars, start, tokens.charCount);
}
