import { hashWord } from "./tokens.js";

/** Words known to the lexicon, numbered from 1; looked up by hash, verified by characters. */
export class Vocabulary {
	readonly words: string[] = [""];
	/** For each word id: ids of the words it stands for ("gonna" -> going, to); undefined for plain words. */
	readonly expansions: (Int32Array | undefined)[] = [undefined];
	private readonly ids = new Map<string, number>();
	private slots = new Int32Array(1 << 12);
	private hashes: number[] = [0];

	/** Id of a word, adding it when new. */
	add(word: string): number {
		const known = this.ids.get(word);
		if (known !== undefined) return known;
		const id = this.words.length;
		this.words.push(word);
		this.expansions.push(undefined);
		this.hashes.push(hashWord(word));
		this.ids.set(word, id);
		if (id * 2 > this.slots.length) {
			this.slots = new Int32Array(this.slots.length * 2);
			for (let other = 1; other < id; other++) this.place(other);
		}
		this.place(id);
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
		const mask = this.slots.length - 1;
		let slot = (hash ^ (hash >>> 15)) & mask;
		for (let id = this.slots[slot] as number; id !== 0; id = this.slots[slot] as number) {
			if (this.hashes[id] === hash && this.equals(this.words[id] as string, chars, start, end)) return id;
			slot = (slot + 1) & mask;
		}
		return 0;
	}

	private equals(word: string, chars: Uint16Array, start: number, end: number): boolean {
		if (word.length !== end - start) return false;
		for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) !== chars[start + at]) return false;
		return true;
	}

	private place(id: number): void {
		const mask = this.slots.length - 1;
		const hash = this.hashes[id] as number;
		let slot = (hash ^ (hash >>> 15)) & mask;
		while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
		this.slots[slot] = id;
	}
}
