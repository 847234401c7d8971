// The inner loop of `LinearReader` in AssemblyScript: the sixteen weights of a bucket in one vector register (WebAssembly SIMD), a quarter of
// the time of plain JavaScript (docs/performance.md). `node scripts/build-assembly.mjs` compiles this file into linear-wasm.ts.

/** Buckets that are summed at a time: so many signed bytes add up in 16 bits. */
const MOST_BUCKETS: usize = 256;
/** Words whose letters are kept. */
const KEPT_WORDS: usize = 16384;
/** Bytes of a kept word: sixteen sums of its letters' weights in 16 bits (a word has at most 96 sequences of letters). */
const KEPT_BYTES: usize = 32;
/** 2^BITS of features.ts, a bit each. */
const BITMAP_BYTES: usize = 32768;

// Places of everything in memory, in bytes, one behind the other. The rows of weights are the last.
export const BUCKETS: usize = 1024;
export const SUMS: usize = BUCKETS + 4 * MOST_BUCKETS;
/** Numbers of kept words that are added at a time, at most MOST_BUCKETS. */
export const SLOTS: usize = SUMS + 64;
const KEPT: usize = SLOTS + 4 * MOST_BUCKETS;
export const USED: usize = KEPT + KEPT_WORDS * KEPT_BYTES;
export const RANK: usize = USED + BITMAP_BYTES;
/** A row is sixteen bytes, a weight each; row 0 is that of buckets without weights. */
export const ROWS: usize = RANK + BITMAP_BYTES;

/** Begins a text. */
export function begin(): void {
	for (let at: usize = 0; at < 64; at += 16) v128.store(SUMS + at, i32x4.splat(0));
}

/** The sums in 16 bits of the weights of the `count` buckets in BUCKETS, heads 0 to 7 and 8 to 15. */
let low: v128 = i16x8.splat(0);
let high: v128 = i16x8.splat(0);

function sum(count: i32): void {
	let first = i16x8.splat(0);
	let second = i16x8.splat(0);
	const until: usize = BUCKETS + 4 * <usize>count;
	for (let at: usize = BUCKETS; at < until; at += 4) {
		const bucket = load<u32>(at);
		const word = <usize>((bucket >>> 5) << 2);
		const bits = load<u32>(USED + word);
		const bit = (<u32>1) << (bucket & 31);
		const row = select<u32>(load<u32>(RANK + word) + popcnt<u32>(bits & (bit - 1)) + 1, 0, (bits & bit) !== 0);
		const weights = v128.load(ROWS + ((<usize>row) << 4));
		first = i16x8.add(first, i16x8.extend_low_i8x16_s(weights));
		second = i16x8.add(second, i16x8.extend_high_i8x16_s(weights));
	}
	low = first;
	high = second;
}

function addToSums(first: v128, second: v128): void {
	v128.store(SUMS, i32x4.add(v128.load(SUMS), i32x4.extend_low_i16x8_s(first)));
	v128.store(SUMS, i32x4.add(v128.load(SUMS, 16), i32x4.extend_high_i16x8_s(first)), 16);
	v128.store(SUMS, i32x4.add(v128.load(SUMS, 32), i32x4.extend_low_i16x8_s(second)), 32);
	v128.store(SUMS, i32x4.add(v128.load(SUMS, 48), i32x4.extend_high_i16x8_s(second)), 48);
}

/** Adds the weights of the `count` buckets in BUCKETS to SUMS. */
export function add(count: i32): void {
	sum(count);
	addToSums(low, high);
}

/** Keeps the sum of the weights of the `count` buckets in BUCKETS as the letters of a word. */
export function keep(slot: i32, count: i32): void {
	sum(count);
	const at = KEPT + KEPT_BYTES * <usize>slot;
	v128.store(at, low);
	v128.store(at, high, 16);
}

/** Adds the letters of the `count` kept words in SLOTS to SUMS. */
export function addKept(count: i32): void {
	const until: usize = SLOTS + 4 * <usize>count;
	for (let at: usize = SLOTS; at < until; at += 4) {
		const kept = KEPT + KEPT_BYTES * <usize>load<u32>(at);
		addToSums(v128.load(kept), v128.load(kept, 16));
	}
}
