import { PROJECTED } from "../../src/core/model/convolution.js";
import { DIMENSIONS } from "../../src/core/model/word-vectors.js";

/** What the loops in WebAssembly do, plainly: writes the PROJECTED products of all filters with the word vector at `from`. */
export function project(filters: Float32Array, vectors: Float32Array, from: number, out: Float32Array, to: number): void {
	for (let filter = 0, weight = 0; filter < PROJECTED; filter++) {
		let sum = 0;
		for (let index = 0; index < DIMENSIONS; index += 4, weight += 4) {
			sum +=
				(filters[weight] as number) * (vectors[from + index] as number) +
				(filters[weight + 1] as number) * (vectors[from + index + 1] as number) +
				(filters[weight + 2] as number) * (vectors[from + index + 2] as number) +
				(filters[weight + 3] as number) * (vectors[from + index + 3] as number);
		}
		out[to + filter] = sum;
	}
}
