// What training repeats for the words of every batch, in AssemblyScript: products of all filters with a word vector, four numbers at a time in
// one vector register. `node scripts/build-assembly.mjs` compiles this file into projection-wasm.ts.

const PROJECTED: usize = 6 * 48;
const DIMENSIONS: usize = 100;

// Places in memory, in bytes. The table grows; its first PROJECTED numbers are 0: the place where nothing stands.
export const FILTERS: usize = 1024;
export const VECTOR: usize = FILTERS + 4 * PROJECTED * DIMENSIONS;
export const TABLE: usize = VECTOR + 4 * DIMENSIONS;

/** Writes the products of all filters with the word vector at VECTOR into row `row` of the table. */
export function project(row: i32): void {
	let weights: usize = FILTERS;
	let to: usize = TABLE + 4 * PROJECTED * <usize>row;
	for (let filter: usize = 0; filter < PROJECTED; filter++) {
		let sum = f32x4.splat(0);
		for (let index: usize = 0; index < 4 * DIMENSIONS; index += 16) sum = f32x4.add(sum, f32x4.mul(v128.load(weights + index), v128.load(VECTOR + index)));
		f32.store(to, f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3));
		weights += 4 * DIMENSIONS;
		to += 4;
	}
}
