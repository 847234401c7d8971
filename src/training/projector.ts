import { PROJECTED } from "../core/model/convolution.js";
import { PROJECTION_WASM } from "../core/model/projection-wasm.js";
import { growTo, instantiate, type Place } from "../core/model/wasm.js";
import { DIMENSIONS } from "../core/model/word-vectors.js";

/** What `projection.assembly.ts` exports: places in its memory (bytes) and its loop. */
interface Loops {
	memory: WebAssembly.Memory;
	FILTERS: Place;
	VECTOR: Place;
	TABLE: Place;
	project(row: number): void;
}

/** Works out what the filters make of the words of a batch: most of what training costs, a sixth of the time of plain JavaScript. */
export class Projector {
	private readonly loops = instantiate<Loops>(PROJECTION_WASM);

	/**
	 * @param filters PROJECTED x DIMENSIONS
	 * @param values word vectors, DIMENSIONS numbers a row
	 * @param rows rows of `values` to be read
	 * @returns PROJECTED numbers for nothing (0), then as many for each of `rows`; valid until the next call
	 */
	project(filters: Float32Array, values: Float32Array, rows: readonly number[]): Float32Array {
		const { memory, FILTERS, VECTOR, TABLE, project } = this.loops;
		const length = (rows.length + 1) * PROJECTED;
		growTo(memory, TABLE.value + 4 * length);
		new Float32Array(memory.buffer, FILTERS.value, filters.length).set(filters);
		const vector = new Float32Array(memory.buffer, VECTOR.value, DIMENSIONS);
		rows.forEach((row, at) => {
			vector.set(values.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS));
			project(at + 1);
		});
		return new Float32Array(memory.buffer, TABLE.value, length);
	}
}
