import { FNV_OFFSET, FNV_PRIME, type TokenBuffer } from "../text/tokens.js";
import { addLetters, FeatureBuffer } from "./features.js";
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
	SLOTS: Place;
	begin(): void;
	add(count: number): void;
	keep(slot: number, count: number): void;
	addKept(count: number): void;
}

/** Bucket numbers that the loops take at a time, and bytes of a row, a weight each, so that it lies in one cache line (linear.assembly.ts). */
const MOST_BUCKETS = 256;
const ROW_BYTES = 16;

/** A multiplier of MurmurHash3. */
const MURMUR = 0x85ebca6b;

/** Words whose letters are kept (linear.assembly.ts): most of what people write is a few thousand words. */
const KEPT_WORDS = 16384;

/** The linear heads at work. Row 0 is that of buckets without weights. */
export class LinearReader {
	private readonly loops: Loops;
	private readonly buckets: Int32Array;
	private readonly slots: Int32Array;
	private readonly sums: Int32Array;
	/** Of each kept word two hashes of its letters (0: nothing is kept) and their number of features. */
	private readonly kept = new Int32Array(3 * KEPT_WORDS);
	private readonly letters = new FeatureBuffer();
	private letterCount = 0;
	/** Numbers in `slots` that are yet to be added. */
	private waiting = 0;

	constructor(private readonly model: Model) {
		this.loops = instantiate<Loops>(LINEAR_WASM);
		const { memory, BUCKETS, SUMS, SLOTS, USED, RANK, ROWS } = this.loops;
		const count = model.weights.length / HEADS;
		growTo(memory, ROWS.value + (count + 1) * ROW_BYTES);
		new Uint32Array(memory.buffer, USED.value).set(model.used);
		new Uint32Array(memory.buffer, RANK.value).set(model.rank);
		const rows = new Int8Array(memory.buffer, ROWS.value);
		for (let row = 0, from = 0; row < count; row++)
			for (let head = 0; head < HEADS; head++) rows[(row + 1) * ROW_BYTES + head] = model.weights[from++] as number;
		this.buckets = new Int32Array(memory.buffer, BUCKETS.value, MOST_BUCKETS);
		this.slots = new Int32Array(memory.buffer, SLOTS.value, MOST_BUCKETS);
		this.sums = new Int32Array(memory.buffer, SUMS.value, ROW_BYTES);
	}

	/** Outputs of the linear heads for the features of a text, before calibration, written to `out` (HEADS long). */
	read(features: FeatureBuffer, out: Float64Array): void {
		const { bias, scale } = this.model;
		const sums = this.sum(features);
		const norm = 1 / Math.sqrt(features.count + this.letterCount + SMOOTHING);
		for (let head = 0; head < HEADS; head++) out[head] = (bias[head] as number) + (sums[head] as number) * (scale[head] as number) * norm;
	}

	/** The sum of the features' weights for each head (more cells follow). Valid until the next call. */
	sum(features: FeatureBuffer): Int32Array {
		const { bucket, count } = features;
		this.loops.begin();
		for (let from = 0; from < count; from += MOST_BUCKETS) {
			const until = Math.min(from + MOST_BUCKETS, count);
			for (let at = from; at < until; at++) this.buckets[at - from] = bucket[at] as number;
			this.loops.add(until - from);
		}
		this.addLetters(features);
		return this.sums;
	}

	/** Adds the weights of the words' letters, which are worked out when a word is first met. */
	private addLetters({ spelled, spelledCount, tokens }: FeatureBuffer): void {
		this.letterCount = 0;
		if (tokens === undefined) return;
		for (let index = 0; index < spelledCount; index++) {
			if (this.waiting === MOST_BUCKETS) this.addWaiting();
			const slot = this.slotOf(tokens, spelled[index] as number);
			this.slots[this.waiting++] = slot;
			this.letterCount += this.kept[3 * slot + 2] as number;
		}
		this.addWaiting();
	}

	private addWaiting(): void {
		this.loops.addKept(this.waiting);
		this.waiting = 0;
	}

	/** Where the letters of a word are kept. Two hashes tell words apart: 64 bits leave no room for chance. */
	private slotOf(tokens: TokenBuffer, at: number): number {
		const { chars } = tokens;
		const end = tokens.charEnd[at] as number;
		let one = FNV_OFFSET;
		let two = 1;
		for (let place = tokens.charStart[at] as number; place < end; place++) {
			const code = chars[place] as number;
			one = Math.imul(one ^ code, FNV_PRIME);
			two = Math.imul(two ^ (two >>> 15) ^ code, MURMUR);
		}
		const slot = (one ^ (one >>> 15)) & (KEPT_WORDS - 1);
		const { kept } = this;
		if (kept[3 * slot] === one && kept[3 * slot + 1] === two) return slot;
		return this.keep(tokens, at, slot, one, two);
	}

	private keep(tokens: TokenBuffer, at: number, slot: number, one: number, two: number): number {
		const { letters, kept } = this;
		// A word that waits may be the one that has to make room.
		this.addWaiting();
		letters.clear();
		addLetters(letters, tokens, at);
		for (let index = 0; index < letters.count; index++) this.buckets[index] = letters.bucket[index] as number;
		this.loops.keep(slot, letters.count);
		kept[3 * slot] = one;
		kept[3 * slot + 1] = two;
		kept[3 * slot + 2] = letters.count;
		return slot;
	}
}
