// The inner loop of `LinearReader` in AssemblyScript: the sixteen weights of a bucket in one vector register (WebAssembly SIMD), a quarter of
// the time of plain JavaScript (docs/performance.md). `node scripts/build-assembly.mjs` compiles this file into linear-wasm.ts.

/** Buckets that are summed at a time: so many signed bytes add up in 16 bits. */
const MOST_BUCKETS: usize = 256;
/** 2^BITS of features.ts, a bit each. */
const BITMAP_BYTES: usize = 32768;

// Places of everything in memory, in bytes, one behind the other. The rows of weights are the last.
export const BUCKETS: usize = 1024;
export const SUMS: usize = BUCKETS + 4 * MOST_BUCKETS;
export const USED: usize = SUMS + 64;
export const RANK: usize = USED + BITMAP_BYTES;
/** A row is sixteen bytes, a weight each; row 0 is that of buckets without weights. */
export const ROWS: usize = RANK + BITMAP_BYTES;

/** Begins a text. */
export function begin(): void {
	for (let at: usize = 0; at < 64; at += 16) v128.store(SUMS + at, i32x4.splat(0));
}

/** Adds the weights of the `count` buckets in BUCKETS to SUMS. */
export function add(count: i32): void {
	let low = i16x8.splat(0);
	let high = i16x8.splat(0);
	const until: usize = BUCKETS + 4 * <usize>count;
	for (let at: usize = BUCKETS; at < until; at += 4) {
		const bucket = load<u32>(at);
		const word = <usize>((bucket >>> 5) << 2);
		const bits = load<u32>(USED + word);
		const bit = (<u32>1) << (bucket & 31);
		const row = select<u32>(load<u32>(RANK + word) + popcnt<u32>(bits & (bit - 1)) + 1, 0, (bits & bit) !== 0);
		const weights = v128.load(ROWS + ((<usize>row) << 4));
		low = i16x8.add(low, i16x8.extend_low_i8x16_s(weights));
		high = i16x8.add(high, i16x8.extend_high_i8x16_s(weights));
	}
	v128.store(SUMS, i32x4.add(v128.load(SUMS), i32x4.extend_low_i16x8_s(low)));
	v128.store(SUMS, i32x4.add(v128.load(SUMS, 16), i32x4.extend_high_i16x8_s(low)), 16);
	v128.store(SUMS, i32x4.add(v128.load(SUMS, 32), i32x4.extend_low_i16x8_s(high)), 32);
	v128.store(SUMS, i32x4.add(v128.load(SUMS, 48), i32x4.extend_high_i16x8_s(high)), 48);
}
