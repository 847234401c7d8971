import type { FeatureBuffer } from "./features.js";
import { HEADS } from "./heads.js";
import { type Model, ones, SMOOTHING } from "./model.js";

/** 32-bit words of a row: a weight a byte, so that a row of 16 bytes lies in one cache line. Row 0 is that of buckets without weights. */
const WORDS = 4;
/** Most rows whose bytes add up in 16 bits. */
const MOST_ROWS = 257;
/** Every other byte of a word: two sums of 16 bits, side by side. */
const EVEN = 0x00ff00ff;
/** Weights are kept as bytes 0 to 255. */
const ZERO = 128;

/**
 * The linear heads at work. Waiting for memory is most of what they cost, so all rows are found first and then read in one run without
 * branches, which lets the processor fetch several at once; and four weights are read at a time and added two at a time.
 */
export class LinearReader {
	private readonly rows: Int32Array;
	private places = new Int32Array(1024);
	private readonly sums = new Int32Array(4 * WORDS);

	constructor(private readonly model: Model) {
		const count = model.weights.length / HEADS;
		this.rows = new Int32Array((count + 1) * WORDS);
		const bytes = new Uint8Array(this.rows.buffer).fill(ZERO);
		for (let row = 0, from = 0; row < count; row++)
			for (let head = 0; head < HEADS; head++) bytes[(row + 1) * 4 * WORDS + head] = (model.weights[from++] as number) + ZERO;
	}

	/** Outputs of the linear heads for the features of a text, before calibration, written to `out` (HEADS long). */
	read(features: FeatureBuffer, out: Float64Array): void {
		const { bias, scale } = this.model;
		const sums = this.sum(features);
		const norm = 1 / Math.sqrt(features.count + SMOOTHING);
		for (let head = 0; head < HEADS; head++) out[head] = (bias[head] as number) + (sums[head] as number) * (scale[head] as number) * norm;
	}

	/** The sum of the features' weights for each head (more cells follow). Valid until the next call. */
	sum(features: FeatureBuffer): Int32Array {
		const { count } = features;
		this.findRows(features);
		this.sums.fill(-ZERO * count);
		for (let from = 0; from < count; from += MOST_ROWS) this.addRows(from, Math.min(from + MOST_ROWS, count));
		return this.sums;
	}

	private placeOf(bucket: number): number {
		const { used, rank } = this.model;
		const bits = used[bucket >>> 5] as number;
		const bit = 1 << (bucket & 31);
		return (bits & bit) === 0 ? 0 : ((rank[bucket >>> 5] as number) + ones(bits & (bit - 1)) + 1) * WORDS;
	}

	private findRows({ bucket, count }: FeatureBuffer): void {
		if (this.places.length < count) this.places = new Int32Array(count * 2);
		for (let index = 0; index < count; index++) this.places[index] = this.placeOf(bucket[index] as number);
	}

	private addRows(from: number, until: number): void {
		const { rows, places } = this;
		let a = 0;
		let b = 0;
		let c = 0;
		let d = 0;
		let e = 0;
		let f = 0;
		let g = 0;
		for (let index = from; index < until; index++) {
			const place = places[index] as number;
			const first = rows[place] as number;
			const second = rows[place + 1] as number;
			const third = rows[place + 2] as number;
			a = (a + (first & EVEN)) | 0;
			b = (b + ((first >>> 8) & EVEN)) | 0;
			c = (c + (second & EVEN)) | 0;
			d = (d + ((second >>> 8) & EVEN)) | 0;
			e = (e + (third & EVEN)) | 0;
			f = (f + ((third >>> 8) & EVEN)) | 0;
			g = (g + ((rows[place + 3] as number) & EVEN)) | 0;
		}
		this.addPair(0, a);
		this.addPair(1, b);
		this.addPair(4, c);
		this.addPair(5, d);
		this.addPair(8, e);
		this.addPair(9, f);
		this.addPair(12, g);
	}

	/** Two sums side by side: of a head and of the next but one. */
	private addPair(head: number, pair: number): void {
		const { sums } = this;
		sums[head] = (sums[head] as number) + (pair & 0xffff);
		sums[head + 2] = (sums[head + 2] as number) + (pair >>> 16);
	}
}
