/**
 * Sets of words that may stand next, kept as masks of hashed bits: a word that is in the set is always found, few others are. A class may hold
 * forty words, which would fill a mask of 32 bits; 256 leave most ordinary words out.
 */
export const MASK = 8;

/** Adds a word to the mask that begins at `from`. */
export function addWord(masks: Int32Array, from: number, word: number): void {
	const bit = bitOf(word);
	masks[from + (bit >>> 5)] = (masks[from + (bit >>> 5)] as number) | (1 << (bit & 31));
}

/** Adds all words of another mask. */
export function unite(masks: Int32Array, from: number, other: Int32Array): void {
	for (let part = 0; part < MASK; part++) masks[from + part] = (masks[from + part] as number) | (other[part] as number);
}

/** False when `word` is surely not in the mask; the unknown word 0 never is. */
export function mayHold(masks: Int32Array, from: number, word: number): boolean {
	const bit = bitOf(word);
	return word !== 0 && (((masks[from + (bit >>> 5)] as number) >>> (bit & 31)) & 1) === 1;
}

/** One of 256 bits, by the top of a multiplicative hash (Knuth). */
function bitOf(word: number): number {
	return Math.imul(word, 0x9e3779b1) >>> 24;
}
