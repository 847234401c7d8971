import { PROJECTED } from "../core/model/convolution.js";
import { CONVOLUTION_WASM } from "../core/model/convolution-wasm.js";
import { growTo, instantiate, type Place } from "../core/model/wasm.js";
import { DIMENSIONS } from "../core/model/word-vectors.js";

/** What training uses of `convolution.assembly.ts`: places in its memory (bytes) and a loop. */
interface Loops {
	memory: WebAssembly.Memory;
	FILTER_WEIGHTS: Place;
	VECTOR: Place;
	TABLE: Place;
	projectExactly(to: number): void;
}

/** Works out what the filters make of the words of a batch, with the loops of the scorer. */
export class Projector {
	private readonly loops = instantiate<Loops>(CONVOLUTION_WASM);

	/**
	 * @param filters PROJECTED x DIMENSIONS
	 * @param values word vectors, DIMENSIONS numbers a row
	 * @param rows rows of `values` to be read
	 * @returns PROJECTED numbers for nothing (0), then as many for each of `rows`; valid until the next call
	 */
	project(filters: Float32Array, values: Float32Array, rows: readonly number[]): Float32Array {
		const { memory, FILTER_WEIGHTS, VECTOR, TABLE, projectExactly } = this.loops;
		const length = (rows.length + 1) * PROJECTED;
		growTo(memory, TABLE.value + 4 * length);
		new Float32Array(memory.buffer, FILTER_WEIGHTS.value, filters.length).set(filters);
		const vector = new Float32Array(memory.buffer, VECTOR.value, DIMENSIONS);
		rows.forEach((row, at) => {
			vector.set(values.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS));
			projectExactly(TABLE.value + 4 * (at + 1) * PROJECTED);
		});
		return new Float32Array(memory.buffer, TABLE.value, length);
	}
}
