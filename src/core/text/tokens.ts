/**
 * The tokens of one text as parallel arrays (one allocation a scorer, grown on demand), so that a turn costs no garbage.
 * Offsets are UTF-16 units of the original content. A spelling that stands for several words ("gonna", "idk") yields
 * several tokens with the same offsets.
 */
export class TokenBuffer {
	count = 0;
	/** Vocabulary id, 0 when the word is unknown to the lexicon. */
	word = new Int32Array(256);
	/** 32-bit hash of the normalised word (FNV-1a), for the model's features. */
	hash = new Int32Array(256);
	start = new Int32Array(256);
	end = new Int32Array(256);
	/** Number of the sentence. */
	sentence = new Int32Array(256);
	/** 1 inside double quotation marks. */
	quoted = new Uint8Array(256);
	/** Where the normalised word stands in `chars`. */
	charStart = new Int32Array(256);
	charEnd = new Int32Array(256);
	chars = new Uint16Array(2048);
	charCount = 0;
	sentences = 0;
	/** 1 for each sentence that ends with a question mark. */
	question = new Uint8Array(64);
	/** Letters of the Latin script, of other scripts, digits and emoji seen; for language and coverage. */
	latinLetters = 0;
	foreignLetters = 0;
	digits = 0;
	symbols = 0;

	clear(): void {
		this.count = 0;
		this.charCount = 0;
		this.sentences = 0;
		this.latinLetters = 0;
		this.foreignLetters = 0;
		this.digits = 0;
		this.symbols = 0;
	}

	/** Makes room for one more token. */
	reserveToken(): void {
		if (this.count + 1 < this.word.length) return;
		const size = this.word.length * 2;
		this.word = grown(this.word, new Int32Array(size));
		this.hash = grown(this.hash, new Int32Array(size));
		this.start = grown(this.start, new Int32Array(size));
		this.end = grown(this.end, new Int32Array(size));
		this.sentence = grown(this.sentence, new Int32Array(size));
		this.charStart = grown(this.charStart, new Int32Array(size));
		this.charEnd = grown(this.charEnd, new Int32Array(size));
		this.quoted = grown(this.quoted, new Uint8Array(size));
	}

	reserveChars(more: number): void {
		if (this.charCount + more <= this.chars.length) return;
		this.chars = grown(this.chars, new Uint16Array(Math.max(this.chars.length * 2, this.charCount + more)));
	}

	/** Ends the current sentence and starts the next. */
	endSentence(isQuestion: boolean): void {
		if (this.sentences + 2 >= this.question.length) this.question = grown(this.question, new Uint8Array(this.question.length * 2));
		this.question[this.sentences] = isQuestion ? 1 : 0;
		this.sentences++;
		this.question[this.sentences] = 0;
	}

	/** The normalised word of a token. For explanations and tests; the hot path never calls it. */
	text(index: number): string {
		let text = "";
		for (let at = this.charStart[index] as number; at < (this.charEnd[index] as number); at++) text += String.fromCharCode(this.chars[at] as number);
		return text;
	}
}

function grown<T extends Int32Array | Uint8Array | Uint16Array>(from: T, to: T): T {
	to.set(from);
	return to;
}

/** FNV-1a over UTF-16 units, the hash of `TokenBuffer.hash`. */
export function hashWord(word: string): number {
	let hash = FNV_OFFSET;
	for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), FNV_PRIME);
	return hash;
}

/** The same over the characters in chars[start, end). */
export function hashChars(chars: Uint16Array, start: number, end: number): number {
	let hash = FNV_OFFSET;
	for (let at = start; at < end; at++) hash = Math.imul(hash ^ (chars[at] as number), FNV_PRIME);
	return hash;
}

export const FNV_OFFSET = 0x811c9dc5 | 0;
export const FNV_PRIME = 0x01000193;
