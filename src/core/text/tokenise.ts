import { ASCII_FOLD, ASCII_KIND, CharKind, createCharFolder } from "./fold-char.js";
import { joinSpacedLetters } from "./join-spaced.js";
import { respell } from "./respell.js";
import { FNV_OFFSET, FNV_PRIME, hashChars, type TokenBuffer } from "./tokens.js";
import type { Vocabulary } from "./vocabulary.js";

/** Longest normalised word kept whole; the rest of a longer run of letters starts a new token (linear time, bounded features). */
const MAX_WORD = 48;

const EXCLAMATION_MARK = 33;
const DOLLAR_SIGN = 36;
const QUESTION_MARK = 63;
const LINE_FEED = 10;

export interface Tokeniser {
	/** Fills `tokens` with the tokens of `text`. Linear in the length of the text; never throws. */
	tokenise(text: string, tokens: TokenBuffer): void;
}

/** Makes a tokeniser that knows the words and spellings of a vocabulary. */
export function createTokeniser(vocabulary: Vocabulary): Tokeniser {
	const scanner = new Scanner(vocabulary);
	return {
		tokenise: (text, tokens) => {
			const singles = scanner.scan(text, tokens);
			if (singles >= 4) joinSpacedLetters(tokens, vocabulary);
		},
	};
}

/**
 * Reads a text from left to right, folding, hashing and looking up in one pass. A word's characters go straight to `tokens.chars`, its hash
 * grows with them: no string is made. No place outside the text is read (V8 gives up its fast `charCodeAt` for good once that happens).
 */
class Scanner {
	private readonly fold = createCharFolder();
	private text = "";
	private tokens!: TokenBuffer;
	private at = 0;
	/** The word being read: where it begins and ends in the text (-1: none), where its characters begin, their hash. */
	private wordStart = -1;
	private wordEnd = 0;
	private charStart = 0;
	private hash = FNV_OFFSET;
	private insideQuotes = 0;
	/** One-letter words seen. */
	private singles = 0;

	constructor(private readonly vocabulary: Vocabulary) {}

	/** Returns the number of one-letter words seen. */
	scan(text: string, tokens: TokenBuffer): number {
		tokens.clear();
		tokens.reserveChars(text.length * 2 + 64);
		this.text = text;
		this.tokens = tokens;
		this.at = 0;
		this.wordStart = -1;
		this.insideQuotes = 0;
		this.singles = 0;
		const { length } = text;
		while (this.at < length) {
			const code = text.charCodeAt(this.at);
			if (code >= 128) this.takeFolded();
			else if (ASCII_KIND[code] === CharKind.letter) this.takeLetters();
			else this.takeSign(code);
		}
		if (this.wordStart >= 0) this.endWord();
		if (this.hasTokens()) tokens.endSentence(false);
		this.text = "";
		return this.singles;
	}

	/** The common case: a run of plain letters. */
	private takeLetters(): void {
		const { text, tokens } = this;
		if (this.wordStart < 0) this.startWord();
		const { chars } = tokens;
		const from = this.at;
		const stop = Math.min(text.length, from + MAX_WORD - (tokens.charCount - this.charStart));
		let { hash } = this;
		let place = tokens.charCount;
		let at = from;
		for (; at < stop; at++) {
			const code = text.charCodeAt(at);
			if (code >= 128 || ASCII_KIND[code] !== CharKind.letter) break;
			const folded = ASCII_FOLD[code] as number;
			chars[place++] = folded;
			hash = Math.imul(hash ^ folded, FNV_PRIME);
		}
		tokens.latinLetters += at - from;
		tokens.charCount = place;
		this.hash = hash;
		this.at = at;
		this.wordEnd = at;
		if (place - this.charStart >= MAX_WORD) this.push();
	}

	/** An ASCII character other than a letter. */
	private takeSign(code: number): void {
		let kind = ASCII_KIND[code] as number;
		if (kind === CharKind.separator) {
			this.at++;
			if (this.wordStart >= 0) this.endWord();
			return;
		}
		if (kind === CharKind.leet) {
			const isInWord = this.wordStart >= 0 || code === DOLLAR_SIGN;
			if (!isInWord || !this.isWordAt(this.at + 1)) kind = CharKind.separator;
		} else if (code === EXCLAMATION_MARK && this.wordStart >= 0 && this.isLetterAt(this.at + 1)) kind = CharKind.leet;
		if (kind === CharKind.digit || kind === CharKind.leet) {
			if (this.wordStart < 0) this.startWord();
			if (kind === CharKind.digit) this.tokens.digits++;
			this.addChar(ASCII_FOLD[code] as number);
			this.advanceInWord(1);
		} else this.takeOther(kind, code, 1, "");
	}

	/** A character beyond ASCII. */
	private takeFolded(): void {
		const { tokens } = this;
		const codePoint = this.text.codePointAt(this.at) as number;
		const width = codePoint > 0xffff ? 2 : 1;
		const { kind, text } = this.fold(codePoint);
		if (kind !== CharKind.letter && kind !== CharKind.digit && kind !== CharKind.foreign) {
			this.takeOther(kind, codePoint, width, text);
			return;
		}
		if (this.wordStart < 0) this.startWord();
		if (kind === CharKind.letter) tokens.latinLetters++;
		else if (kind === CharKind.digit) tokens.digits++;
		else tokens.foreignLetters++;
		if (text === "") this.addChar(this.text.charCodeAt(this.at));
		else {
			for (let part = 0; part < text.length; part++) this.addChar(text.charCodeAt(part));
			tokens.reserveChars(this.text.length - this.at + 64);
		}
		this.advanceInWord(width);
	}

	/** What is no part of a word: white space, punctuation, pictographs. */
	private takeOther(kind: number, code: number, width: number, folded: string): void {
		const { tokens, at } = this;
		this.at += width;
		if (kind === CharKind.skip || (kind === CharKind.apostrophe && this.wordStart >= 0)) return;
		if (this.wordStart >= 0) this.endWord();
		if (kind === CharKind.symbol) {
			tokens.symbols++;
			tokens.reserveChars(32);
			this.startWord();
			for (let part = 0; part < folded.length; part++) this.addChar(folded.charCodeAt(part));
			this.wordStart = at;
			this.wordEnd = at + width;
			this.push();
		} else if (kind === CharKind.quote) {
			this.insideQuotes ^= 1;
		} else if (kind === CharKind.end || (kind === CharKind.stop && !this.isWordCharAt(at + 1))) {
			if (this.hasTokens()) tokens.endSentence(code === QUESTION_MARK);
			else if (code === QUESTION_MARK && tokens.sentences > 0) tokens.question[tokens.sentences - 1] = 1;
			if (code === LINE_FEED) this.insideQuotes = 0;
		}
	}

	private startWord(): void {
		this.wordStart = this.at;
		this.charStart = this.tokens.charCount;
		this.hash = FNV_OFFSET;
	}

	private addChar(code: number): void {
		const { tokens } = this;
		tokens.chars[tokens.charCount++] = code;
		this.hash = Math.imul(this.hash ^ code, FNV_PRIME);
	}

	private advanceInWord(width: number): void {
		this.at += width;
		this.wordEnd = this.at;
		if (this.tokens.charCount - this.charStart >= MAX_WORD) this.push();
	}

	private endWord(): void {
		if (this.wordEnd - this.wordStart === 1) this.singles++;
		this.push();
	}

	/** Looks the word up (mending its spelling when unknown) and appends its token or tokens. */
	private push(): void {
		const { tokens, vocabulary, charStart } = this;
		let word = vocabulary.find(this.hash, tokens.chars, charStart, tokens.charCount);
		if (word === 0) {
			const length = tokens.charCount;
			word = respell(tokens, charStart, vocabulary);
			if (word !== 0) this.hash = vocabulary.hashOf(word);
			else if (tokens.charCount !== length) this.hash = hashChars(tokens.chars, charStart, tokens.charCount);
		}
		const expansion = vocabulary.expansions[word];
		if (expansion === undefined) this.append(word, this.hash);
		else for (let part = 0; part < expansion.length; part++) this.append(expansion[part] as number, vocabulary.hashOf(expansion[part] as number));
		this.wordStart = -1;
	}

	private append(word: number, hash: number): void {
		const { tokens } = this;
		tokens.reserveToken();
		const at = tokens.count++;
		tokens.word[at] = word;
		tokens.hash[at] = hash;
		tokens.start[at] = this.wordStart;
		tokens.end[at] = this.wordEnd;
		tokens.sentence[at] = tokens.sentences;
		tokens.quoted[at] = this.insideQuotes;
		tokens.charStart[at] = this.charStart;
		tokens.charEnd[at] = tokens.charCount;
	}

	/** True when the current sentence holds a token. */
	private hasTokens(): boolean {
		const { count, sentence, sentences } = this.tokens;
		return count > 0 && sentence[count - 1] === sentences;
	}

	/** The kind of the ASCII character at a place of the text; a separator elsewhere. */
	private kindAt(at: number): number {
		if (at >= this.text.length) return CharKind.separator;
		const code = this.text.charCodeAt(at);
		return code < 128 ? (ASCII_KIND[code] as number) : CharKind.separator;
	}

	private isLetterAt(at: number): boolean {
		return this.kindAt(at) === CharKind.letter;
	}

	/** A letter or digit. */
	private isWordCharAt(at: number): boolean {
		const kind = this.kindAt(at);
		return kind === CharKind.letter || kind === CharKind.digit;
	}

	/** What may go on with a word: a letter, a digit or a sign that stands for a letter. */
	private isWordAt(at: number): boolean {
		return this.isWordCharAt(at) || this.kindAt(at) === CharKind.leet;
	}
}
