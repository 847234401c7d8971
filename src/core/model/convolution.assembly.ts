// The inner loops of `ConvolutionReader` in AssemblyScript: four filters at a time in one vector register (WebAssembly SIMD), a tenth of the
// time that plain JavaScript takes (docs/performance.md). `node scripts/build-assembly.mjs` compiles this file into convolution-wasm.ts.

const FILTERS: usize = 48;
const POOLED: usize = 3 * FILTERS;
const PROJECTED: usize = 6 * FILTERS;
const DIMENSIONS: usize = 100;
/** Heads, filled up to whole vector registers. */
const PADDED_HEADS: usize = 16;
/** Words that are pooled at a time. */
const MOST_WORDS: usize = 512;

// Places of everything in memory, in bytes, one behind the other. The table of projections is the last and grows.
export const WORDS: usize = 1024;
/** What the windows that begin before the next word already hold: four vectors for each filter. */
const CARRIED: usize = WORDS + 4 * MOST_WORDS;
const BEST: usize = CARRIED + 4 * 4 * FILTERS;
export const ANSWERS: usize = BEST + 4 * POOLED;
export const FILTER_BIAS: usize = ANSWERS + 4 * PADDED_HEADS;
/** POOLED x PADDED_HEADS. */
export const OUTPUT: usize = FILTER_BIAS + 4 * POOLED;
export const OUTPUT_BIAS: usize = OUTPUT + 4 * POOLED * PADDED_HEADS;
export const VECTOR: usize = OUTPUT_BIAS + 4 * PADDED_HEADS;
export const FILTER_WEIGHTS: usize = VECTOR + 4 * DIMENSIONS;
export const TABLE: usize = FILTER_WEIGHTS + 4 * PROJECTED * DIMENSIONS;

const ONE: usize = 0;
const TWO: usize = 4 * FILTERS;
const THREE: usize = 8 * FILTERS;

/** Writes the PROJECTED products of all filters with the word vector at VECTOR to `to`. */
export function project(to: usize): void {
	let weight: usize = FILTER_WEIGHTS;
	for (let filter: usize = 0; filter < PROJECTED; filter++) {
		let sum = f32x4.splat(0);
		for (let index: usize = 0; index < 4 * DIMENSIONS; index += 16) sum = f32x4.add(sum, f32x4.mul(v128.load(weight + index), v128.load(VECTOR + index)));
		weight += 4 * DIMENSIONS;
		const total = f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3);
		f32.store(to, total);
		to += 4;
	}
}

/** Begins a text. */
export function begin(): void {
	const nothing = f32x4.splat(-f32.MAX_VALUE);
	for (let at: usize = 0; at < 16 * FILTERS; at += 16) v128.store(CARRIED + at, f32x4.splat(0));
	for (let at: usize = 0; at < 4 * POOLED; at += 16) v128.store(BEST + at, nothing);
}

/** Goes on with the words whose projections begin at the addresses in WORDS: the strongest answer of every filter over one, two and three neighbours. */
export function pool(count: i32): void {
	const until: usize = WORDS + 4 * <usize>count;
	for (let filter: usize = 0; filter < 4 * FILTERS; filter += 16) {
		const best: usize = BEST + filter;
		const carried: usize = CARRIED + filter;
		let one = v128.load(best, ONE);
		let two = v128.load(best, TWO);
		let three = v128.load(best, THREE);
		let pairStart = v128.load(carried);
		let earlierStart = v128.load(carried, 4 * FILTERS);
		let tripleStart = v128.load(carried, 8 * FILTERS);
		let tripleMiddle = v128.load(carried, 12 * FILTERS);
		for (let word: usize = WORDS; word < until; word += 4) {
			const place: usize = <usize>load<u32>(word) + filter;
			one = f32x4.pmax(one, v128.load(place));
			two = f32x4.pmax(two, f32x4.add(pairStart, v128.load(place, 8 * FILTERS)));
			three = f32x4.pmax(three, f32x4.add(f32x4.add(earlierStart, tripleMiddle), v128.load(place, 20 * FILTERS)));
			pairStart = v128.load(place, 4 * FILTERS);
			earlierStart = tripleStart;
			tripleStart = v128.load(place, 12 * FILTERS);
			tripleMiddle = v128.load(place, 16 * FILTERS);
		}
		v128.store(best, one, ONE);
		v128.store(best, two, TWO);
		v128.store(best, three, THREE);
		v128.store(carried, pairStart);
		v128.store(carried, earlierStart, 4 * FILTERS);
		v128.store(carried, tripleStart, 8 * FILTERS);
		v128.store(carried, tripleMiddle, 12 * FILTERS);
	}
}

/** Ends a text: windows that reach over its end, then the heads' outputs, written to ANSWERS. */
export function finish(): void {
	for (let filter: usize = 0; filter < 4 * FILTERS; filter += 16) {
		const best: usize = BEST + filter;
		const carried: usize = CARRIED + filter;
		const pairStart = v128.load(carried);
		const earlierStart = v128.load(carried, 4 * FILTERS);
		const tripleStart = v128.load(carried, 8 * FILTERS);
		const tripleMiddle = v128.load(carried, 12 * FILTERS);
		v128.store(best, f32x4.pmax(v128.load(best, TWO), pairStart), TWO);
		v128.store(best, f32x4.pmax(f32x4.pmax(v128.load(best, THREE), f32x4.add(earlierStart, tripleMiddle)), tripleStart), THREE);
	}
	let heads0 = v128.load(OUTPUT_BIAS);
	let heads4 = v128.load(OUTPUT_BIAS, 16);
	let heads8 = v128.load(OUTPUT_BIAS, 32);
	let heads12 = v128.load(OUTPUT_BIAS, 48);
	let row: usize = OUTPUT;
	for (let filter: usize = 0; filter < 4 * POOLED; filter += 4) {
		const active = f32.load(BEST + filter) + f32.load(FILTER_BIAS + filter);
		if (active > 0) {
			const all = f32x4.splat(active);
			heads0 = f32x4.add(heads0, f32x4.mul(all, v128.load(row)));
			heads4 = f32x4.add(heads4, f32x4.mul(all, v128.load(row, 16)));
			heads8 = f32x4.add(heads8, f32x4.mul(all, v128.load(row, 32)));
			heads12 = f32x4.add(heads12, f32x4.mul(all, v128.load(row, 48)));
		}
		row += 4 * PADDED_HEADS;
	}
	v128.store(ANSWERS, heads0);
	v128.store(ANSWERS, heads4, 16);
	v128.store(ANSWERS, heads8, 32);
	v128.store(ANSWERS, heads12, 48);
}
