import { HEADS } from "./heads.js";
import { DIMENSIONS, type WordVectors } from "./word-vectors.js";

/**
 * The convolutional part of the model (Kim 2014): filters over one, two and three neighbouring words, each reduced to its strongest
 * place in the text, then linear heads. Word vectors make words that were never in a training row count like their relatives.
 */
export interface Convolution {
	vectors: WordVectors;
	/** SLICES x FILTERS x DIMENSIONS; the slices are the places of the widths: 1 | 2, 2 | 3, 3, 3. */
	filters: Float32Array;
	/** WIDTHS x FILTERS. */
	filterBias: Float32Array;
	/** HEADS x WIDTHS x FILTERS. */
	output: Float32Array;
	/** HEADS. */
	outputBias: Float32Array;
}

/** Filters of each width (48 did as well as 96 and better than 32: docs/accuracy.md). */
export const FILTERS = 48;
export const WIDTHS = 3;
/** Places of all widths together: 1 + 2 + 3. */
export const SLICES = 6;
/** Numbers that a word contributes: FILTERS for each slice. */
export const PROJECTED = SLICES * FILTERS;
export const POOLED = WIDTHS * FILTERS;

/** Reads texts with a convolution. What the filters make of a word is worked out when the word is first met: after that a text costs additions only. */
export class ConvolutionReader {
	/** Place in `table` of each row that was met; the vocabulary of one data set is small beside the model's. */
	private readonly placeOf: Int32Array;
	private table = new Float32Array(1024 * PROJECTED);
	/** Where the next word's numbers go; the first PROJECTED ones stay 0 (see `pool`). */
	private free = PROJECTED;
	private readonly vector = new Float32Array(DIMENSIONS);
	private readonly best = new Float32Array(POOLED);
	private places = new Int32Array(512);
	/** The convolution's `output` turned round, POOLED x HEADS: what one filter says stands together. */
	private readonly output: Float32Array;

	constructor(private readonly convolution: Convolution) {
		this.placeOf = new Int32Array(convolution.vectors.hashes.length);
		this.output = Float32Array.from(convolution.output, (_, at) => convolution.output[(at % HEADS) * POOLED + Math.floor(at / HEADS)] as number);
	}

	/** Adds the outputs of all heads for the first `count` of `words` (hashes) to `z`; no words are read as one unknown word. */
	addTo(z: Float64Array, words: Int32Array, count: number): void {
		const { vectors } = this.convolution;
		const length = Math.max(1, count);
		if (this.places.length < length) this.places = new Int32Array(2 * length);
		for (let at = 0; at < length; at++) {
			const row = at < count ? vectors.rowOf(words[at] as number) : 0;
			this.places[at] = (this.placeOf[row] as number) || this.prepare(row);
		}
		poolInRegisters(this.table, this.places, length, this.best);
		this.addOutputs(z);
	}

	private addOutputs(z: Float64Array): void {
		const { best, output } = this;
		const { filterBias, outputBias } = this.convolution;
		for (let head = 0; head < HEADS; head++) z[head] = (z[head] as number) + (outputBias[head] as number);
		for (let filter = 0; filter < POOLED; filter++) {
			const active = (best[filter] as number) + (filterBias[filter] as number);
			if (!(active > 0)) continue;
			const from = filter * HEADS;
			for (let head = 0; head < HEADS; head++) z[head] = (z[head] as number) + active * (output[from + head] as number);
		}
	}

	private prepare(row: number): number {
		const place = this.free;
		this.free += PROJECTED;
		if (this.free > this.table.length) {
			const larger = new Float32Array(this.table.length * 2);
			larger.set(this.table);
			this.table = larger;
		}
		this.convolution.vectors.copyTo(row, this.vector);
		project(this.convolution.filters, this.vector, 0, this.table, place);
		this.placeOf[row] = place;
		return place;
	}
}

/** Writes the PROJECTED products of all filters with the word vector at `from`. */
export function project(filters: Float32Array, vectors: Float32Array, from: number, out: Float32Array, to: number): void {
	for (let filter = 0, weight = 0; filter < PROJECTED; filter++) {
		let sum = 0;
		for (let index = 0; index < DIMENSIONS; index += 4, weight += 4) {
			sum +=
				(filters[weight] as number) * (vectors[from + index] as number) +
				(filters[weight + 1] as number) * (vectors[from + index + 1] as number) +
				(filters[weight + 2] as number) * (vectors[from + index + 2] as number) +
				(filters[weight + 3] as number) * (vectors[from + index + 3] as number);
		}
		out[to + filter] = sum;
	}
}

/**
 * Strongest answer of each filter over all places, before its bias. Windows may reach over either end of the text, where nothing stands.
 * @param table projections, PROJECTED numbers a word; its first PROJECTED numbers are 0: the place where nothing stands
 * @param places where each word's projections begin in `table`
 * @param best POOLED numbers, overwritten
 * @param where index of the last word of each best window (it may lie behind the text), for training
 */
export function pool(table: Float32Array, places: Int32Array, count: number, best: Float32Array, where?: Int16Array): void {
	best.fill(Number.NEGATIVE_INFINITY);
	let first = 0;
	let middle = 0;
	for (let at = 0; at < count + 2; at++) {
		const last = at < count ? (places[at] as number) : 0;
		if (at < count) {
			for (let filter = 0; filter < FILTERS; filter++) {
				const answer = table[last + filter] as number;
				if (answer > (best[filter] as number)) {
					best[filter] = answer;
					if (where) where[filter] = at;
				}
			}
		}
		if (at <= count) {
			for (let filter = FILTERS; filter < 2 * FILTERS; filter++) {
				const answer = (table[middle + filter] as number) + (table[last + FILTERS + filter] as number);
				if (answer > (best[filter] as number)) {
					best[filter] = answer;
					if (where) where[filter] = at;
				}
			}
		}
		for (let filter = 2 * FILTERS; filter < 3 * FILTERS; filter++) {
			const answer =
				(table[first + FILTERS + filter] as number) + (table[middle + 2 * FILTERS + filter] as number) + (table[last + 3 * FILTERS + filter] as number);
			if (answer > (best[filter] as number)) {
				best[filter] = answer;
				if (where) where[filter] = at;
			}
		}
		first = middle;
		middle = last;
	}
}

/**
 * The same without `where`, for scoring: filter by filter, so that the three maxima and what the next windows need of the words before stay in
 * registers (a quarter faster, equal to the bit).
 */
export function poolInRegisters(table: Float32Array, places: Int32Array, count: number, best: Float32Array): void {
	for (let filter = 0; filter < FILTERS; filter++) {
		let one = Number.NEGATIVE_INFINITY;
		let two = Number.NEGATIVE_INFINITY;
		let three = Number.NEGATIVE_INFINITY;
		// First of two; first of three (of the word before and of the one before that); second of three.
		let pairStart = 0;
		let earlierStart = 0;
		let tripleStart = 0;
		let tripleMiddle = 0;
		for (let at = 0; at < count; at++) {
			const place = (places[at] as number) + filter;
			one = Math.max(one, table[place] as number);
			two = Math.max(two, pairStart + (table[place + 2 * FILTERS] as number));
			three = Math.max(three, earlierStart + tripleMiddle + (table[place + 5 * FILTERS] as number));
			pairStart = table[place + FILTERS] as number;
			earlierStart = tripleStart;
			tripleStart = table[place + 3 * FILTERS] as number;
			tripleMiddle = table[place + 4 * FILTERS] as number;
		}
		best[filter] = one;
		best[FILTERS + filter] = Math.max(two, pairStart);
		best[2 * FILTERS + filter] = Math.max(three, earlierStart + tripleMiddle, tripleStart);
	}
}
