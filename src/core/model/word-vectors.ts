/** Numbers of a word vector (GloVe 6B, 100 dimensions: docs/accuracy.md). */
export const DIMENSIONS = 100;

const EMPTY = 0;

/** Vectors of words, found by the words' hashes (`hashWord` of the normalised word). Row 0 stands for every unknown word. */
export class WordVectors {
	/** Hash of each row's word; row 0 has none. */
	readonly hashes: Int32Array;
	/** DIMENSIONS numbers a row: as they are, or as read from a file, in steps of the row's unit. */
	readonly values: Float32Array | Int8Array;
	readonly units: Float32Array | undefined;
	private readonly slots: Int32Array;
	private readonly mask: number;

	constructor(hashes: Int32Array, values: Float32Array | Int8Array, units?: Float32Array) {
		this.hashes = hashes;
		this.values = values;
		this.units = units;
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

	/** Writes the vector of a row to `out`, from `at` on. */
	copyTo(row: number, out: Float32Array, at = 0): void {
		const unit = this.units === undefined ? 1 : (this.units[row] as number);
		for (let index = 0; index < DIMENSIONS; index++) out[at + index] = (this.values[row * DIMENSIONS + index] as number) * unit;
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
export function serialiseVectors(vectors: WordVectors): Uint8Array {
	const { hashes } = vectors;
	const numbers = new Float32Array(DIMENSIONS);
	const bytes = new Uint8Array(4 + hashes.length * ROW_BYTES);
	const view = new DataView(bytes.buffer);
	view.setUint32(0, hashes.length, true);
	for (let row = 0; row < hashes.length; row++) {
		const at = 4 + row * ROW_BYTES;
		vectors.copyTo(row, numbers);
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
	const values = new Int8Array(rows * DIMENSIONS);
	const units = new Float32Array(rows);
	for (let row = 0; row < rows; row++) {
		const at = 4 + row * ROW_BYTES;
		hashes[row] = view.getInt32(at, true);
		units[row] = view.getFloat32(at + 4, true);
		for (let index = 0; index < DIMENSIONS; index++) values[row * DIMENSIONS + index] = view.getInt8(at + 8 + index);
	}
	return { vectors: new WordVectors(hashes, values, units), length };
}
