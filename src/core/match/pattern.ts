import { LabelError } from "../../errors.js";

/**
 * The pattern language of the lexicon. A pattern reads like a sentence:
 *
 *     @i @want to die          words and shared classes
 *     so/really/very tired     alternatives of single words (or classes)
 *     (in my|on the) bed       alternatives of phrases
 *     really? (so very)?       optional parts
 *     kill ... myself          up to three words between; `..5` up to five
 *     < numb >                 anchors: start and end of a sentence
 */
export type Element =
	| { kind: "word"; word: string }
	| { kind: "class"; name: string }
	| { kind: "any"; members: Element[] }
	| { kind: "gap"; most: number }
	| { kind: "start" }
	| { kind: "end" };

/** Most words that a gap may skip: beyond, a "phrase" is two phrases. */
const MAX_GAP = 8;
const MAX_SEQUENCES = 4096;

/** Parses a pattern into the plain sequences that it stands for. Throws `invalid_lexicon` naming the pattern. */
export function parsePattern(pattern: string): Element[][] {
	const parts = pattern
		.trim()
		.toLowerCase()
		.match(/\(|\)\??|\||[^\s()|]+/g);
	if (parts === null) throw new LabelError("invalid_lexicon", "an empty pattern");
	const state = { parts, at: 0, pattern };
	const sequences = parseAlternatives(state);
	if (state.at < parts.length) throw new LabelError("invalid_lexicon", `pattern "${pattern}": unexpected "${parts[state.at]}"`);
	for (const sequence of sequences) {
		if (sequence.every((element) => element.kind === "gap" || element.kind === "start" || element.kind === "end"))
			throw new LabelError("invalid_lexicon", `pattern "${pattern}" can match without any word`);
		if (sequence[0]?.kind === "gap") throw new LabelError("invalid_lexicon", `pattern "${pattern}" can begin with a gap, which would match any words`);
	}
	return sequences;
}

interface ParseState {
	parts: string[];
	at: number;
	pattern: string;
}

function parseAlternatives(state: ParseState): Element[][] {
	const sequences: Element[][] = [];
	let current: Element[][] = [[]];
	for (; state.at < state.parts.length; ) {
		const part = state.parts[state.at] as string;
		if (part.startsWith(")")) break;
		state.at++;
		if (part === "|") {
			sequences.push(...current);
			current = [[]];
		} else if (part === "(") {
			const inner = parseAlternatives(state);
			const close = state.parts[state.at++];
			if (close === undefined) throw new LabelError("invalid_lexicon", `pattern "${state.pattern}": a bracket is not closed`);
			current = product(current, close === ")?" ? [[], ...inner] : inner, state.pattern);
		} else {
			const isOptional = part.length > 1 && part.endsWith("?");
			const element = parseElement(isOptional ? part.slice(0, -1) : part, state.pattern);
			current = product(current, isOptional ? [[], [element]] : [[element]], state.pattern);
		}
	}
	return [...sequences, ...current];
}

function product(left: Element[][], right: Element[][], pattern: string): Element[][] {
	if (left.length * right.length > MAX_SEQUENCES)
		throw new LabelError("invalid_lexicon", `pattern "${pattern}" stands for more than ${MAX_SEQUENCES} sequences`);
	return left.flatMap((start) => right.map((end) => [...start, ...end]));
}

function parseElement(part: string, pattern: string): Element {
	if (part === "<") return { kind: "start" };
	if (part === ">") return { kind: "end" };
	if (part === "...") return { kind: "gap", most: 3 };
	const gap = /^\.\.(\d)$/.exec(part);
	if (gap) {
		const most = Number(gap[1]);
		if (most < 1 || most > MAX_GAP) throw new LabelError("invalid_lexicon", `pattern "${pattern}": a gap is 1 to ${MAX_GAP} words`);
		return { kind: "gap", most };
	}
	const members = part.split("/").map((member): Element => {
		if (member.startsWith("@")) return { kind: "class", name: member.slice(1) };
		const word = member.replace(/['’]/g, "");
		// biome-ignore lint/suspicious/noMisleadingCharacterClass: any of these signs may stand in a word
		if (!/^[\p{L}\p{N}*@$\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}\ufe0f\u200d!]+$/u.test(word))
			throw new LabelError("invalid_lexicon", `pattern "${pattern}": "${member}" is no word`);
		return { kind: "word", word };
	});
	return members.length === 1 ? (members[0] as Element) : { kind: "any", members };
}
