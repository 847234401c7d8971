import { LabelError } from "../../errors.js";
import { HEARD_ROLES } from "./before.js";
import { type Convolution, HIDDEN, POOLED, PROJECTED } from "./convolution.js";
import { BITS } from "./features.js";
import { HEADS, LEVEL_HEADS } from "./heads.js";
import { DIMENSIONS, parseVectors, serialiseVectors } from "./word-vectors.js";

/** Length normalisation: a text's features are divided by the root of their number plus this (keeps one-word turns modest). */
export const SMOOTHING = 10;

const MAGIC = 0x4d4c424c; // "LBLM", little-endian
const FORMAT = 6;
const FLOATS_A_HEAD = 4;
const BITMAP_BYTES = 2 ** BITS / 8;
const HEADER_BYTES = 16 + 4 * FLOATS_A_HEAD * HEADS + 4 * LEVEL_HEADS + BITMAP_BYTES;

/** Numbers in each list of the convolution, in the order in which a file holds them, before its vectors. */
const CONVOLUTION_LISTS = {
	filters: PROJECTED * DIMENSIONS,
	filterBias: POOLED,
	output: HEADS * POOLED,
	outputBias: HEADS,
	hidden: POOLED * HIDDEN,
	hiddenBias: HIDDEN,
	hiddenOutput: HIDDEN * LEVEL_HEADS,
	before: HEARD_ROLES.length * HEADS * DIMENSIONS,
	hiddenBefore: HEARD_ROLES.length * HIDDEN * DIMENSIONS,
} as const;
const LISTS = Object.keys(CONVOLUTION_LISTS) as (keyof typeof CONVOLUTION_LISTS)[];
const CONVOLUTION_BYTES = 4 * LISTS.reduce((sum, list) => sum + CONVOLUTION_LISTS[list], 0);

/** A trained model: linear heads over hashed features, weights in 8 bits, and a convolution over word vectors; their outputs add up. */
export interface Model {
	/** Per head: added before the calibration. */
	bias: Float32Array;
	/** Per head: what one step of an 8-bit weight is worth. */
	scale: Float32Array;
	/** Per head: calibrated probability = sigmoid(slope * z + offset), fitted on held-out folds. */
	slope: Float32Array;
	offset: Float32Array;
	/** Calibrated probabilities from which a turn is R1-mid, R1-high, R2. */
	cuts: Float32Array;
	/** One bit a bucket: set when the bucket has weights. */
	used: Uint32Array;
	/** Number of used buckets before each 32 of them: with the bits it gives a bucket's row. */
	rank: Uint32Array;
	/** HEADS weights a row, a row a used bucket: small enough to stay near the processor, where 2^BITS rows would not. */
	weights: Int8Array;
	convolution: Convolution;
}

/** Numbers the used buckets. */
export function rankOf(used: Uint32Array): Uint32Array {
	const rank = new Uint32Array(used.length);
	let count = 0;
	used.forEach((bits, at) => {
		rank[at] = count;
		count += ones(bits);
	});
	return rank;
}

/** Number of set bits (Hamming weight). */
export function ones(bits: number): number {
	let sum = bits - ((bits >>> 1) & 0x55555555);
	sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333);
	return Math.imul((sum + (sum >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The bytes of a model file (little-endian; see `parseModel`). */
export function serialiseModel(model: Model): Uint8Array {
	const table = serialiseVectors(model.convolution.vectors);
	const convolutionAt = HEADER_BYTES + model.weights.length;
	const bytes = new Uint8Array(convolutionAt + CONVOLUTION_BYTES + table.length);
	const view = new DataView(bytes.buffer);
	[MAGIC, FORMAT, BITS, HEADS].forEach((value, at) => void view.setUint32(at * 4, value, true));
	let at = 16;
	for (const list of [model.bias, model.scale, model.slope, model.offset, model.cuts]) {
		for (const value of list) {
			view.setFloat32(at, value, true);
			at += 4;
		}
	}
	for (const bits of model.used) {
		view.setUint32(at, bits, true);
		at += 4;
	}
	bytes.set(new Uint8Array(model.weights.buffer, model.weights.byteOffset, model.weights.length), HEADER_BYTES);
	at = convolutionAt;
	for (const list of LISTS) {
		for (const value of model.convolution[list]) {
			view.setFloat32(at, value, true);
			at += 4;
		}
	}
	bytes.set(table, at);
	return bytes;
}

/**
 * Reads a model file.
 * @throws LabelError `invalid_model` when the bytes are no model of this format
 */
export function parseModel(bytes: Uint8Array): Model {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const isModel =
		bytes.length > HEADER_BYTES &&
		view.getUint32(0, true) === MAGIC &&
		view.getUint32(4, true) === FORMAT &&
		view.getUint32(8, true) === BITS &&
		view.getUint32(12, true) === HEADS;
	if (!isModel) throw new LabelError("invalid_model", "the file is no model of this version of label; rebuild it with `label train`");
	let at = 16;
	const floats = (count: number): Float32Array => {
		const list = new Float32Array(count);
		for (let index = 0; index < count; index++) {
			list[index] = view.getFloat32(at, true);
			at += 4;
		}
		return list;
	};
	const head = {
		bias: floats(HEADS),
		scale: floats(HEADS),
		slope: floats(HEADS),
		offset: floats(HEADS),
		cuts: floats(LEVEL_HEADS),
	};
	const used = new Uint32Array(2 ** BITS / 32);
	for (let index = 0; index < used.length; index++) used[index] = view.getUint32(at + index * 4, true);
	const rank = rankOf(used);
	const rows = (rank.at(-1) as number) + ones(used.at(-1) as number);
	const convolutionAt = HEADER_BYTES + rows * HEADS;
	const vectorsAt = convolutionAt + CONVOLUTION_BYTES;
	const parsed = bytes.length > vectorsAt ? parseVectors(bytes.subarray(vectorsAt)) : undefined;
	if (parsed === undefined || bytes.length !== vectorsAt + parsed.length)
		throw new LabelError("invalid_model", "the model file is cut off; copy it again or rebuild it with `label train`");
	at = convolutionAt;
	const lists = Object.fromEntries(LISTS.map((list) => [list, floats(CONVOLUTION_LISTS[list])])) as Omit<Convolution, "vectors">;
	return {
		...head,
		used,
		rank,
		weights: new Int8Array(bytes.buffer, bytes.byteOffset + HEADER_BYTES, rows * HEADS).slice(),
		convolution: { ...lists, vectors: parsed.vectors },
	};
}

export function sigmoid(z: number): number {
	return 1 / (1 + Math.exp(-z));
}
