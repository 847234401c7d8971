/** Numbers of a word vector (GloVe 6B, 100 dimensions: docs/accuracy.md). */
export const DIMENSIONS = 100;

const EMPTY = 0;

/** Vectors of words, found by the words' hashes (`hashWord` of the normalised word). Row 0 stands for every unknown word. */
export class WordVectors {
	/** Hash of each row's word; row 0 has none. */
	readonly hashes: Int32Array;
	/** DIMENSIONS numbers a row. */
	readonly values: Float32Array;
	private readonly slots: Int32Array;
	private readonly mask: number;

	constructor(hashes: Int32Array, values: Float32Array) {
		this.hashes = hashes;
		this.values = values;
		let size = 1024;
		while (size < hashes.length * 2) size *= 2;
		this.mask = size - 1;
		this.slots = new Int32Array(size);
		for (let row = 1; row < hashes.length; row++) {
			let slot = (hashes[row] as number) & this.mask;
			while (this.slots[slot] !== EMPTY) slot = (slot + 1) & this.mask;
			this.slots[slot] = row;
		}
	}

	/** Row of a word, 0 when it is unknown. */
	rowOf(hash: number): number {
		let slot = hash & this.mask;
		for (;;) {
			const row = this.slots[slot] as number;
			if (row === EMPTY || this.hashes[row] === hash) return row;
			slot = (slot + 1) & this.mask;
		}
	}
}

const ROW_BYTES = 4 + 4 + DIMENSIONS;

/** Bytes of a table of vectors: number of rows, then the hash, the worth of one step (float) and DIMENSIONS 8-bit steps of each row. Little-endian. */
export function serialiseVectors({ hashes, values }: Pick<WordVectors, "hashes" | "values">): Uint8Array {
	const bytes = new Uint8Array(4 + hashes.length * ROW_BYTES);
	const view = new DataView(bytes.buffer);
	view.setUint32(0, hashes.length, true);
	for (let row = 0; row < hashes.length; row++) {
		const at = 4 + row * ROW_BYTES;
		const numbers = values.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS);
		const unit = Math.fround(numbers.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127 || 1);
		view.setInt32(at, hashes[row] as number, true);
		view.setFloat32(at + 4, unit, true);
		for (let index = 0; index < DIMENSIONS; index++) view.setInt8(at + 8 + index, Math.round((numbers[index] as number) / unit));
	}
	return bytes;
}

/** Reads what `serialiseVectors` wrote; `length` is the number of bytes that belong to it. Undefined when the bytes end too early. */
export function parseVectors(bytes: Uint8Array): { vectors: WordVectors; length: number } | undefined {
	if (bytes.length < 4) return undefined;
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const rows = view.getUint32(0, true);
	const length = 4 + rows * ROW_BYTES;
	if (bytes.length < length || rows === 0) return undefined;
	const hashes = new Int32Array(rows);
	const values = new Float32Array(rows * DIMENSIONS);
	for (let row = 0; row < rows; row++) {
		const at = 4 + row * ROW_BYTES;
		hashes[row] = view.getInt32(at, true);
		const unit = view.getFloat32(at + 4, true);
		for (let index = 0; index < DIMENSIONS; index++) values[row * DIMENSIONS + index] = view.getInt8(at + 8 + index) * unit;
	}
	return { vectors: new WordVectors(hashes, values), length };
}
