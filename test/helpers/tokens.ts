import { createTokeniser } from "../../src/core/text/tokenise.js";
import { TokenBuffer } from "../../src/core/text/tokens.js";
import { Vocabulary } from "../../src/core/text/vocabulary.js";

/** A vocabulary of plain words and of spellings ("gonna" -> "going to"). */
export function makeVocabulary(words: readonly string[], spellings: Record<string, string> = {}): Vocabulary {
	const vocabulary = new Vocabulary();
	for (const word of words) vocabulary.add(word);
	for (const [spelling, standsFor] of Object.entries(spellings)) vocabulary.addSpelling(spelling, standsFor.split(" "));
	return vocabulary;
}

export interface ReadToken {
	/** The known word; empty when the vocabulary has none. */
	word: string;
	/** Normalised characters. */
	text: string;
	/** What stands at the offsets in the original. */
	source: string;
	start: number;
	end: number;
	sentence: number;
	isQuoted: boolean;
}

/** The tokens of a text as plain objects. */
export function readTokens(content: string, vocabulary: Vocabulary): { tokens: ReadToken[]; buffer: TokenBuffer } {
	const buffer = new TokenBuffer();
	createTokeniser(vocabulary).tokenise(content, buffer);
	const tokens = Array.from({ length: buffer.count }, (_, at) => {
		const start = buffer.start[at] as number;
		const end = buffer.end[at] as number;
		return {
			word: vocabulary.words[buffer.word[at] as number] as string,
			text: buffer.text(at),
			source: content.slice(start, end),
			start,
			end,
			sentence: buffer.sentence[at] as number,
			isQuoted: buffer.quoted[at] === 1,
		};
	});
	return { tokens, buffer };
}
