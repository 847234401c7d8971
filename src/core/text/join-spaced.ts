import type { TokenBuffer } from "./tokens.js";
import type { Vocabulary } from "./vocabulary.js";

/** Shortest run of single letters that is read as a spelt-out word ("d i e" is three: too common as initials). */
const SHORTEST_RUN = 4;
const LONGEST_WORD = 16;

/** Reads runs of single letters ("k i l l  m y s e l f", "s.u.i.c.i.d.e") as the known words they spell, in place. */
export function joinSpacedLetters(tokens: TokenBuffer, vocabulary: Vocabulary): void {
	let to = 0;
	for (let at = 0; at < tokens.count; ) {
		let end = at;
		while (end < tokens.count && isSingleLetter(tokens, end) && tokens.sentence[end] === tokens.sentence[at]) end++;
		const words = end - at >= SHORTEST_RUN ? segment(tokens, at, end, vocabulary) : undefined;
		if (words !== undefined) {
			for (const { id, from, until } of words) {
				const start = tokens.start[from] as number;
				const stop = tokens.end[until - 1] as number;
				copy(tokens, from, to);
				tokens.word[to] = id;
				tokens.hash[to] = vocabulary.hashOf(id);
				tokens.start[to] = start;
				tokens.end[to] = stop;
				to++;
			}
			at = end;
			continue;
		}
		const stop = Math.max(end, at + 1);
		for (; at < stop; at++) copy(tokens, at, to++);
	}
	tokens.count = to;
}

function isSingleLetter(tokens: TokenBuffer, at: number): boolean {
	return (tokens.end[at] as number) - (tokens.start[at] as number) === 1 && (tokens.chars[tokens.charStart[at] as number] as number) >= 97;
}

/** Cuts the letters of tokens [from, until) greedily into the longest known words; undefined when letters are left over. */
function segment(tokens: TokenBuffer, from: number, until: number, vocabulary: Vocabulary): { id: number; from: number; until: number }[] | undefined {
	const words: { id: number; from: number; until: number }[] = [];
	const letters: string[] = [];
	const places: number[] = [];
	for (let at = from; at < until; at++) {
		if (at > from && tokens.start[at] === tokens.start[at - 1]) continue;
		letters.push(String.fromCharCode(tokens.chars[tokens.charStart[at] as number] as number));
		places.push(at);
	}
	if (letters.length < SHORTEST_RUN) return undefined;
	for (let at = 0; at < letters.length; ) {
		let best = 0;
		let length = 0;
		for (let size = Math.min(LONGEST_WORD, letters.length - at); size >= 2 && best === 0; size--) {
			best = vocabulary.id(letters.slice(at, at + size).join(""));
			length = size;
		}
		if (best === 0 && letters[at] === "i") {
			best = vocabulary.id("i");
			length = 1;
		}
		if (best === 0) return undefined;
		words.push({ id: best, from: places[at] as number, until: at + length < places.length ? (places[at + length] as number) : until });
		at += length;
	}
	return words;
}

function copy(tokens: TokenBuffer, from: number, to: number): void {
	if (from === to) return;
	for (const field of ["word", "hash", "start", "end", "sentence", "charStart", "charEnd", "quoted"] as const)
		tokens[field][to] = tokens[field][from] as number;
}
