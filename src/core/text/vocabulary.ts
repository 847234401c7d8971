import { hashWord } from "./tokens.js";

/** Cells of a slot: hash, id, place of the first character, number of characters. A look-up that fails or succeeds reads one slot as a rule. */
const CELLS = 4;

/** A vocabulary as plain data. */
export interface VocabularyData {
	words: string[];
	/** For each word id: ids of the words it stands for ("gonna" -> going, to); undefined for plain words. */
	expansions: (Int32Array | undefined)[];
	hashes: Int32Array;
	/** Open hash table with twice as many slots as words; id 0: free. */
	slots: Int32Array;
	/** The words' characters one after another, so that looking up makes no strings. */
	chars: Uint16Array;
}

/** Words known to the lexicon, numbered from 1; looked up by hash, verified by characters. */
export class Vocabulary {
	readonly words: string[];
	readonly expansions: (Int32Array | undefined)[];
	private readonly ids: Map<string, number>;
	private hashes: Int32Array;
	private slots: Int32Array;
	private chars: Uint16Array;
	private charCount = 0;

	/** @param data a vocabulary that is complete; default: an empty one, to be added to */
	constructor(data?: VocabularyData) {
		this.words = data?.words ?? [""];
		this.expansions = data?.expansions ?? [undefined];
		this.ids = new Map(data?.words.map((word, id) => [word, id]));
		this.ids.delete("");
		this.hashes = data?.hashes ?? new Int32Array(1 << 12);
		this.slots = data?.slots ?? new Int32Array(CELLS << 12);
		this.chars = data?.chars ?? new Uint16Array(1 << 14);
	}

	/** The vocabulary as plain data. */
	freeze(): VocabularyData {
		const { words, expansions, hashes, slots, chars } = this;
		return { words, expansions, hashes, slots, chars };
	}

	/** Id of a word, adding it when new. */
	add(word: string): number {
		const known = this.ids.get(word);
		if (known !== undefined) return known;
		const id = this.words.length;
		if (id * 2 * CELLS > this.slots.length) this.grow();
		this.words.push(word);
		this.expansions.push(undefined);
		this.ids.set(word, id);
		this.hashes[id] = hashWord(word);
		const from = this.charCount;
		this.keepChars(word);
		this.place([this.hashes[id] as number, id, from, word.length]);
		return id;
	}

	/** Says that `word` is a spelling of one or more other words. */
	addSpelling(word: string, standsFor: readonly string[]): void {
		const id = this.add(word);
		this.expansions[id] = Int32Array.from(standsFor, (part) => this.add(part));
	}

	id(word: string): number {
		return this.ids.get(word) ?? 0;
	}

	hashOf(id: number): number {
		return this.hashes[id] as number;
	}

	/** Id of the word whose hash is `hash` and whose characters stand in chars[start, end); 0 when unknown. */
	find(hash: number, chars: Uint16Array, start: number, end: number): number {
		const { slots } = this;
		const mask = slots.length - 1;
		for (let slot = firstSlot(hash, mask); ; slot = (slot + CELLS) & mask) {
			const id = slots[slot + 1] as number;
			if (id === 0) return 0;
			if (slots[slot] === hash && slots[slot + 3] === end - start && this.equals(slots[slot + 2] as number, chars, start, end)) return id;
		}
	}

	private equals(from: number, chars: Uint16Array, start: number, end: number): boolean {
		const own = this.chars;
		for (let at = start, place = from; at < end; at++, place++) if (own[place] !== chars[at]) return false;
		return true;
	}

	private keepChars(word: string): void {
		if (this.charCount + word.length > this.chars.length) {
			const larger = new Uint16Array((this.charCount + word.length) * 2);
			larger.set(this.chars);
			this.chars = larger;
		}
		for (let at = 0; at < word.length; at++) this.chars[this.charCount++] = word.charCodeAt(at);
	}

	private grow(): void {
		const { slots, hashes } = this;
		this.hashes = new Int32Array(hashes.length * 2);
		this.hashes.set(hashes);
		this.slots = new Int32Array(slots.length * 2);
		for (let slot = 0; slot < slots.length; slot += CELLS) if (slots[slot + 1] !== 0) this.place(slots.subarray(slot, slot + CELLS));
	}

	private place(cells: ArrayLike<number>): void {
		const mask = this.slots.length - 1;
		let slot = firstSlot(cells[0] as number, mask);
		while (this.slots[slot + 1] !== 0) slot = (slot + CELLS) & mask;
		this.slots.set(cells, slot);
	}
}

function firstSlot(hash: number, mask: number): number {
	return ((hash ^ (hash >>> 15)) * CELLS) & mask;
}
