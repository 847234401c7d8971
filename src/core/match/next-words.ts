/** Words of 32 bits a mask. A class may hold forty words, which would fill a mask of 32 bits; 256 leave most ordinary words out. */
const MASK = 8;

/** For each node a set of words that may stand next, kept as a mask of hashed bits: a word that is in the set is always found, few others are. */
export class NextWords {
	private readonly masks: Int32Array;

	constructor(nodes: number) {
		this.masks = new Int32Array(nodes * MASK);
	}

	add(node: number, words: Iterable<number>): this {
		for (const word of words) {
			const bit = bitOf(word);
			const place = node * MASK + (bit >>> 5);
			this.masks[place] = (this.masks[place] as number) | (1 << (bit & 31));
		}
		return this;
	}

	/** Adds all words of the first node of `other`. */
	unite(node: number, other: NextWords | undefined): void {
		if (other === undefined) return;
		for (let part = 0; part < MASK; part++) this.masks[node * MASK + part] = (this.masks[node * MASK + part] as number) | (other.masks[part] as number);
	}

	/** False when `word` can surely not stand next to `node`; the unknown word 0 never can. */
	has(node: number, word: number): boolean {
		const bit = bitOf(word);
		return word !== 0 && (((this.masks[node * MASK + (bit >>> 5)] as number) >>> (bit & 31)) & 1) === 1;
	}
}

/** One of 256 bits, by the top of a multiplicative hash (Knuth). */
function bitOf(word: number): number {
	return Math.imul(word, 0x9e3779b1) >>> 24;
}
