// The inner loops of `ConvolutionReader` in AssemblyScript: eight filters at a time in one vector register (WebAssembly SIMD), a sixth of the
// time that plain JavaScript takes (docs/performance.md). `node scripts/build-assembly.mjs` compiles this file into convolution-wasm.ts.

const FILTERS: usize = 96;
const POOLED: usize = 3 * FILTERS;
/** Places of the widths: 1 | 2, 2 | 3, 3, 3. */
const SLICES: usize = 6;
const PROJECTED: usize = SLICES * FILTERS;
const DIMENSIONS: usize = 100;
/** Heads, filled up to whole vector registers. */
const PADDED_HEADS: usize = 16;
/** The level heads, which stand first among the heads, likewise. */
const PADDED_LEVELS: usize = 4;
/** Hidden units behind the filters. */
const HIDDEN: usize = 32;
/** What the filters' answers go to: padded heads, then hidden units. */
const OUTPUTS: usize = PADDED_HEADS + HIDDEN;
/** Words that are pooled at a time. */
const MOST_WORDS: usize = 512;
/** What one step of a projection in 16 bits is worth: the largest seen is 4.4, sums of three saturate at 16. */
const STEP: f32 = 1.0 / 2048.0;
/** Weights of a word as part of what each role said before: one for each output, for user and assistant. */
const BEFORE: usize = 2 * OUTPUTS;

/** Bytes of one number in 16 bits for each filter of a width. */
const SLICE: usize = 2 * FILTERS;
/** Filters of one vector register, and bytes of all that a word contributes to them: a number for each slice, side by side. */
const LANES: usize = 8;
const BLOCK: usize = SLICES * 2 * LANES;

// Places of everything in memory, in bytes, one behind the other. The table of words is the last and grows. A word's row holds its projections
// in 16 bits, so that it fills few cache lines, in blocks, so that they are read in order; then its weights as part of what was said before.
export const WORDS: usize = 1024;
/** What the windows that begin before the next word already hold: four numbers for each filter. */
const CARRIED: usize = WORDS + 4 * MOST_WORDS;
const BEST: usize = CARRIED + 4 * SLICE;
export const ANSWERS: usize = BEST + 2 * POOLED;
/** OUTPUTS: what was said before adds this. */
export const HEARD: usize = ANSWERS + 4 * OUTPUTS;
/** In steps, 16 bits. */
export const FILTER_BIAS: usize = HEARD + 4 * OUTPUTS;
/** OUTPUTS x POOLED, 16 bits: every output's weights in units of its own (OUTPUT_UNIT), in each lane together at most MOST_WEIGHT (convolution-reader.ts). */
export const OUTPUT: usize = FILTER_BIAS + 2 * POOLED;
/** OUTPUTS: what the product of a weight of 1 and an answer of 1 is worth. */
export const OUTPUT_UNIT: usize = OUTPUT + 2 * POOLED * OUTPUTS;
/** OUTPUTS. */
export const OUTPUT_BIAS: usize = OUTPUT_UNIT + 4 * OUTPUTS;
/** HIDDEN x PADDED_LEVELS. */
export const HIDDEN_OUTPUT: usize = OUTPUT_BIAS + 4 * OUTPUTS;
export const VECTOR: usize = HIDDEN_OUTPUT + 4 * HIDDEN * PADDED_LEVELS;
export const FILTER_WEIGHTS: usize = VECTOR + 4 * DIMENSIONS;
/** BEFORE x DIMENSIONS. */
export const BEFORE_WEIGHTS: usize = FILTER_WEIGHTS + 4 * PROJECTED * DIMENSIONS;
/** Where a cache line begins, as every row does. */
export const TABLE: usize = (BEFORE_WEIGHTS + 4 * BEFORE * DIMENSIONS + 63) & ~63;
export const ROW_BYTES: usize = 2 * PROJECTED + 4 * BEFORE;

/** The product of DIMENSIONS weights with the word vector at VECTOR. */
function product(weights: usize): f32 {
	let sum = f32x4.splat(0);
	for (let index: usize = 0; index < 4 * DIMENSIONS; index += 16) sum = f32x4.add(sum, f32x4.mul(v128.load(weights + index), v128.load(VECTOR + index)));
	return f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3);
}

/** Writes the row of the word whose vector is at VECTOR to `to`. */
export function project(to: usize): void {
	let weights: usize = FILTER_WEIGHTS;
	for (let slice: usize = 0; slice < SLICES; slice++)
		for (let filter: usize = 0; filter < FILTERS; filter++) {
			const steps = f32.nearest(product(weights) / STEP);
			store<i16>(to + (filter / LANES) * BLOCK + (slice * LANES + (filter % LANES)) * 2, <i16>min(max(steps, -32768), 32767));
			weights += 4 * DIMENSIONS;
		}
	to += 2 * PROJECTED;
	weights = BEFORE_WEIGHTS;
	for (let head: usize = 0; head < BEFORE; head++) {
		f32.store(to, product(weights));
		weights += 4 * DIMENSIONS;
		to += 4;
	}
}

/** Writes the PROJECTED products of all filters with the word vector at VECTOR to `to`, unrounded, as training needs them. */
export function projectExactly(to: usize): void {
	let weights: usize = FILTER_WEIGHTS;
	for (let filter: usize = 0; filter < PROJECTED; filter++) {
		f32.store(to, product(weights));
		weights += 4 * DIMENSIONS;
		to += 4;
	}
}

/** Begins a text. */
export function begin(): void {
	const nothing = i16x8.splat(i16.MIN_VALUE);
	for (let at: usize = 0; at < 4 * SLICE; at += 16) v128.store(CARRIED + at, i16x8.splat(0));
	for (let at: usize = 0; at < 3 * SLICE; at += 16) v128.store(BEST + at, nothing);
}

/** Goes on with the words whose rows begin at the addresses in WORDS: the strongest answer of every filter over one, two and three neighbours. */
export function pool(count: i32): void {
	const until: usize = WORDS + 4 * <usize>count;
	let block: usize = 0;
	for (let filter: usize = 0; filter < SLICE; filter += 16) {
		const best: usize = BEST + filter;
		const carried: usize = CARRIED + filter;
		let one = v128.load(best);
		let two = v128.load(best, SLICE);
		let three = v128.load(best, 2 * SLICE);
		let pairStart = v128.load(carried);
		let earlierStart = v128.load(carried, SLICE);
		let tripleStart = v128.load(carried, 2 * SLICE);
		let tripleMiddle = v128.load(carried, 3 * SLICE);
		for (let word: usize = WORDS; word < until; word += 4) {
			const place: usize = <usize>load<u32>(word) + block;
			one = i16x8.max_s(one, v128.load(place));
			two = i16x8.max_s(two, i16x8.add_sat_s(pairStart, v128.load(place, 32)));
			three = i16x8.max_s(three, i16x8.add_sat_s(i16x8.add_sat_s(earlierStart, tripleMiddle), v128.load(place, 80)));
			pairStart = v128.load(place, 16);
			earlierStart = tripleStart;
			tripleStart = v128.load(place, 48);
			tripleMiddle = v128.load(place, 64);
		}
		block += BLOCK;
		v128.store(best, one);
		v128.store(best, two, SLICE);
		v128.store(best, three, 2 * SLICE);
		v128.store(carried, pairStart);
		v128.store(carried, earlierStart, SLICE);
		v128.store(carried, tripleStart, 2 * SLICE);
		v128.store(carried, tripleMiddle, 3 * SLICE);
	}
}

/** Ends a text: windows that reach over its end, then the heads' outputs, written to ANSWERS. */
export function finish(): void {
	for (let filter: usize = 0; filter < SLICE; filter += 16) {
		const best: usize = BEST + filter;
		const carried: usize = CARRIED + filter;
		const pairStart = v128.load(carried);
		const earlierStart = v128.load(carried, SLICE);
		const tripleStart = v128.load(carried, 2 * SLICE);
		const tripleMiddle = v128.load(carried, 3 * SLICE);
		v128.store(best, i16x8.max_s(v128.load(best, SLICE), pairStart), SLICE);
		v128.store(best, i16x8.max_s(i16x8.max_s(v128.load(best, 2 * SLICE), i16x8.add_sat_s(earlierStart, tripleMiddle)), tripleStart), 2 * SLICE);
	}
	// What is below nothing does not count. No branch depends on the text: a guess wrong for every second filter would cost more than the products.
	for (let filter: usize = 0; filter < 2 * POOLED; filter += 16) {
		const active = i16x8.max_s(i16x8.add_sat_s(v128.load(BEST + filter), v128.load(FILTER_BIAS + filter)), i16x8.splat(0));
		// Halves, rounded: in 15 bits the sums below can not overflow.
		v128.store(BEST + filter, i16x8.avgr_u(active, i16x8.splat(0)));
	}
	let weights: usize = OUTPUT;
	for (let output: usize = 0; output < 4 * OUTPUTS; output += 16) {
		let sum0 = i32x4.splat(0);
		let sum1 = i32x4.splat(0);
		let sum2 = i32x4.splat(0);
		let sum3 = i32x4.splat(0);
		for (let filter: usize = 0; filter < 2 * POOLED; filter += 16) {
			const active = v128.load(BEST + filter);
			const place = weights + filter;
			sum0 = i32x4.add(sum0, i32x4.dot_i16x8_s(active, v128.load(place)));
			sum1 = i32x4.add(sum1, i32x4.dot_i16x8_s(active, v128.load(place, 2 * POOLED)));
			sum2 = i32x4.add(sum2, i32x4.dot_i16x8_s(active, v128.load(place, 4 * POOLED)));
			sum3 = i32x4.add(sum3, i32x4.dot_i16x8_s(active, v128.load(place, 6 * POOLED)));
		}
		weights += 8 * POOLED;
		// Four lanes hold parts of each sum, which only fit into 32 bits apart.
		const part0 = f32x4.convert_i32x4_s(sum0);
		const part1 = f32x4.convert_i32x4_s(sum1);
		const part2 = f32x4.convert_i32x4_s(sum2);
		const part3 = f32x4.convert_i32x4_s(sum3);
		const first = f32x4.add(v128.shuffle<f32>(part0, part1, 0, 4, 1, 5), v128.shuffle<f32>(part0, part1, 2, 6, 3, 7));
		const second = f32x4.add(v128.shuffle<f32>(part2, part3, 0, 4, 1, 5), v128.shuffle<f32>(part2, part3, 2, 6, 3, 7));
		const sums = f32x4.add(v128.shuffle<f32>(first, second, 0, 1, 4, 5), v128.shuffle<f32>(first, second, 2, 3, 6, 7));
		const ground = f32x4.add(v128.load(OUTPUT_BIAS + output), v128.load(HEARD + output));
		v128.store(ANSWERS + output, f32x4.add(ground, f32x4.mul(sums, v128.load(OUTPUT_UNIT + output))));
	}
	let levels = v128.load(ANSWERS);
	let row: usize = HIDDEN_OUTPUT;
	for (let unit: usize = 0; unit < 4 * HIDDEN; unit += 4) {
		const active = max<f32>(f32.load(ANSWERS + 4 * PADDED_HEADS + unit), 0);
		levels = f32x4.add(levels, f32x4.mul(f32x4.splat(active), v128.load(row)));
		row += 4 * PADDED_LEVELS;
	}
	v128.store(ANSWERS, levels);
}

/** Sums the weights of the words in WORDS as part of what a role (0: user, 1: assistant) said before, written to ANSWERS. */
export function hear(count: i32, role: i32): void {
	const offset: usize = 2 * PROJECTED + 4 * OUTPUTS * <usize>role;
	const until: usize = WORDS + 4 * <usize>count;
	for (let outputs: usize = 0; outputs < 4 * OUTPUTS; outputs += 16) {
		let sum = f32x4.splat(0);
		for (let word: usize = WORDS; word < until; word += 4) sum = f32x4.add(sum, v128.load(<usize>load<u32>(word) + offset + outputs));
		v128.store(ANSWERS + outputs, sum);
	}
}
