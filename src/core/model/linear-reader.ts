import type { FeatureBuffer } from "./features.js";
import { HEADS } from "./heads.js";
import { LINEAR_WASM } from "./linear-wasm.js";
import { type Model, SMOOTHING } from "./model.js";
import { growTo, instantiate, type Place } from "./wasm.js";

/** What `linear.assembly.ts` exports: places in its memory (bytes) and its loops. */
interface Loops {
	memory: WebAssembly.Memory;
	BUCKETS: Place;
	SUMS: Place;
	USED: Place;
	RANK: Place;
	ROWS: Place;
	begin(): void;
	add(count: number): void;
}

/** Bucket numbers that the loops take at a time, and bytes of a row, a weight each, so that it lies in one cache line (linear.assembly.ts). */
const MOST_BUCKETS = 256;
const ROW_BYTES = 16;

/** The linear heads at work. Row 0 is that of buckets without weights. */
export class LinearReader {
	private readonly loops: Loops;
	private readonly buckets: Int32Array;
	private readonly sums: Int32Array;

	constructor(private readonly model: Model) {
		this.loops = instantiate<Loops>(LINEAR_WASM);
		const { memory, BUCKETS, SUMS, USED, RANK, ROWS } = this.loops;
		const count = model.weights.length / HEADS;
		growTo(memory, ROWS.value + (count + 1) * ROW_BYTES);
		new Uint32Array(memory.buffer, USED.value).set(model.used);
		new Uint32Array(memory.buffer, RANK.value).set(model.rank);
		const rows = new Int8Array(memory.buffer, ROWS.value);
		for (let row = 0, from = 0; row < count; row++)
			for (let head = 0; head < HEADS; head++) rows[(row + 1) * ROW_BYTES + head] = model.weights[from++] as number;
		this.buckets = new Int32Array(memory.buffer, BUCKETS.value, MOST_BUCKETS);
		this.sums = new Int32Array(memory.buffer, SUMS.value, ROW_BYTES);
	}

	/** Outputs of the linear heads for the features of a text, before calibration, written to `out` (HEADS long). */
	read(features: FeatureBuffer, out: Float64Array): void {
		const { bias, scale } = this.model;
		const sums = this.sum(features);
		const norm = 1 / Math.sqrt(features.count + SMOOTHING);
		for (let head = 0; head < HEADS; head++) out[head] = (bias[head] as number) + (sums[head] as number) * (scale[head] as number) * norm;
	}

	/** The sum of the features' weights for each head (more cells follow). Valid until the next call. */
	sum({ bucket, count }: FeatureBuffer): Int32Array {
		this.loops.begin();
		for (let from = 0; from < count; from += MOST_BUCKETS) {
			const until = Math.min(from + MOST_BUCKETS, count);
			for (let at = from; at < until; at++) this.buckets[at - from] = bucket[at] as number;
			this.loops.add(until - from);
		}
		return this.sums;
	}
}
