import { ASCII_FOLD, ASCII_KIND, CharKind, createCharFolder } from "./fold-char.js";
import { joinSpacedLetters } from "./join-spaced.js";
import { respell } from "./respell.js";
import { FNV_OFFSET, FNV_PRIME, type TokenBuffer } from "./tokens.js";
import type { Vocabulary } from "./vocabulary.js";

/** Longest normalised word kept whole; the rest of a longer run of letters starts a new token (linear time, bounded features). */
const MAX_WORD = 48;

export interface Tokeniser {
	/** Fills `tokens` with the tokens of `text`. Linear in the length of the text; never throws. */
	tokenise(text: string, tokens: TokenBuffer): void;
}

/** Makes a tokeniser that knows the words and spellings of a vocabulary. */
export function createTokeniser(vocabulary: Vocabulary): Tokeniser {
	const fold = createCharFolder();
	return {
		tokenise: (text, tokens) => {
			const singles = scan(text, tokens, vocabulary, fold);
			if (singles >= 4) joinSpacedLetters(tokens, vocabulary);
		},
	};
}

/** Returns the number of one-letter words seen. */
function scan(text: string, tokens: TokenBuffer, vocabulary: Vocabulary, fold: ReturnType<typeof createCharFolder>): number {
	tokens.clear();
	let singles = 0;
	tokens.reserveChars(text.length * 2 + 64);
	const length = text.length;
	let wordStart = -1;
	let wordEnd = 0;
	let charStart = 0;
	let insideQuotes = 0;
	let at = 0;
	while (at < length) {
		let code = text.charCodeAt(at);
		if (code < 128 && ASCII_KIND[code] === CharKind.letter) {
			if (wordStart < 0) {
				wordStart = at;
				charStart = tokens.charCount;
			}
			at = takeLetters(text, at, Math.min(length, at + MAX_WORD - (tokens.charCount - charStart)), tokens);
			wordEnd = at;
			if (tokens.charCount - charStart >= MAX_WORD) {
				push(tokens, vocabulary, wordStart, wordEnd, charStart, insideQuotes);
				wordStart = -1;
			}
			continue;
		}
		let kind: number;
		let width = 1;
		let foldedText = "";
		if (code < 128) {
			kind = ASCII_KIND[code] as number;
			code = ASCII_FOLD[code] as number;
		} else {
			const codePoint = text.codePointAt(at) as number;
			width = codePoint > 0xffff ? 2 : 1;
			const folded = fold(codePoint);
			kind = folded.kind;
			foldedText = folded.text;
		}
		if (kind === CharKind.leet && !(wordStart >= 0 && isWordAt(text, at + width))) {
			kind =
				code === 64 || code === 36 ? (isWordAt(text, at + width) && wordStart < 0 && code === 36 ? CharKind.leet : CharKind.separator) : CharKind.separator;
		} else if (code === 33 && wordStart >= 0 && isLetterAt(text, at + 1)) {
			kind = CharKind.leet;
		}
		if (kind === CharKind.letter || kind === CharKind.digit || kind === CharKind.leet || kind === CharKind.foreign) {
			if (wordStart < 0) {
				wordStart = at;
				charStart = tokens.charCount;
			}
			if (kind === CharKind.letter) tokens.latinLetters++;
			else if (kind === CharKind.digit) tokens.digits++;
			else if (kind === CharKind.foreign) tokens.foreignLetters++;
			if (foldedText === "") tokens.chars[tokens.charCount++] = code;
			else {
				for (let part = 0; part < foldedText.length; part++) tokens.chars[tokens.charCount++] = foldedText.charCodeAt(part);
				tokens.reserveChars(length - at + 64);
			}
			wordEnd = at + width;
			if (tokens.charCount - charStart >= MAX_WORD) {
				push(tokens, vocabulary, wordStart, wordEnd, charStart, insideQuotes);
				wordStart = -1;
			}
			at += width;
			continue;
		}
		if (kind === CharKind.skip || (kind === CharKind.apostrophe && wordStart >= 0)) {
			at += width;
			continue;
		}
		if (wordStart >= 0) {
			if (wordEnd - wordStart === 1) singles++;
			push(tokens, vocabulary, wordStart, wordEnd, charStart, insideQuotes);
			wordStart = -1;
		}
		if (kind === CharKind.symbol) {
			tokens.symbols++;
			charStart = tokens.charCount;
			tokens.reserveChars(32);
			for (let part = 0; part < foldedText.length; part++) tokens.chars[tokens.charCount++] = foldedText.charCodeAt(part);
			push(tokens, vocabulary, at, at + width, charStart, insideQuotes);
		} else if (kind === CharKind.quote) {
			insideQuotes ^= 1;
		} else if (kind === CharKind.end || (kind === CharKind.stop && isSpaceAt(text, at + 1))) {
			if (hasTokens(tokens)) tokens.endSentence(code === 63);
			else if (code === 63 && tokens.sentences > 0) tokens.question[tokens.sentences - 1] = 1;
			if (code === 10) insideQuotes = 0;
		}
		at += width;
	}
	if (wordStart >= 0) {
		if (wordEnd - wordStart === 1) singles++;
		push(tokens, vocabulary, wordStart, wordEnd, charStart, insideQuotes);
	}
	if (hasTokens(tokens)) tokens.endSentence(false);
	return singles;
}

/** Appends the run of plain letters at `at`, the common case, up to `stop`. Returns the place after it. */
function takeLetters(text: string, at: number, stop: number, tokens: TokenBuffer): number {
	const { chars } = tokens;
	let place = tokens.charCount;
	let to = at;
	let code = text.charCodeAt(to);
	do {
		chars[place++] = ASCII_FOLD[code] as number;
		to++;
		code = text.charCodeAt(to);
	} while (to < stop && code < 128 && ASCII_KIND[code] === CharKind.letter);
	tokens.latinLetters += to - at;
	tokens.charCount = place;
	return to;
}

/** True when the current sentence holds a token. */
function hasTokens(tokens: TokenBuffer): boolean {
	return tokens.count > 0 && tokens.sentence[tokens.count - 1] === tokens.sentences;
}

function isWordAt(text: string, at: number): boolean {
	const code = text.charCodeAt(at);
	return code < 128 && (ASCII_KIND[code] === CharKind.letter || ASCII_KIND[code] === CharKind.leet || ASCII_KIND[code] === CharKind.digit);
}

function isLetterAt(text: string, at: number): boolean {
	const code = text.charCodeAt(at);
	return code < 128 && ASCII_KIND[code] === CharKind.letter;
}

function isSpaceAt(text: string, at: number): boolean {
	const code = text.charCodeAt(at);
	return !(code < 128 && (ASCII_KIND[code] === CharKind.letter || ASCII_KIND[code] === CharKind.digit));
}

/** Looks the word up (mending its spelling when unknown) and appends its token or tokens. */
function push(tokens: TokenBuffer, vocabulary: Vocabulary, start: number, end: number, charStart: number, quoted: number): void {
	let hash = FNV_OFFSET;
	for (let at = charStart; at < tokens.charCount; at++) hash = Math.imul(hash ^ (tokens.chars[at] as number), FNV_PRIME);
	let word = vocabulary.find(hash, tokens.chars, charStart, tokens.charCount);
	if (word === 0) {
		const length = tokens.charCount;
		word = respell(tokens, charStart, vocabulary);
		if (word !== 0) hash = vocabulary.hashOf(word);
		else if (tokens.charCount !== length) {
			hash = FNV_OFFSET;
			for (let at = charStart; at < tokens.charCount; at++) hash = Math.imul(hash ^ (tokens.chars[at] as number), FNV_PRIME);
		}
	}
	const expansion = word === 0 ? undefined : vocabulary.expansions[word];
	if (expansion === undefined) {
		append(tokens, word, hash, start, end, charStart, quoted);
		return;
	}
	for (let part = 0; part < expansion.length; part++) {
		const id = expansion[part] as number;
		append(tokens, id, vocabulary.hashOf(id), start, end, charStart, quoted);
	}
}

function append(tokens: TokenBuffer, word: number, hash: number, start: number, end: number, charStart: number, quoted: number): void {
	tokens.reserveToken();
	const at = tokens.count++;
	tokens.word[at] = word;
	tokens.hash[at] = hash;
	tokens.start[at] = start;
	tokens.end[at] = end;
	tokens.sentence[at] = tokens.sentences;
	tokens.quoted[at] = quoted;
	tokens.charStart[at] = charStart;
	tokens.charEnd[at] = tokens.charCount;
}
