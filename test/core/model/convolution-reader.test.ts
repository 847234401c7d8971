import { expect, test } from "vitest";
import { type Convolution, POOLED, PROJECTED, pool, project } from "../../../src/core/model/convolution.js";
import { ConvolutionReader } from "../../../src/core/model/convolution-reader.js";
import { HEADS } from "../../../src/core/model/heads.js";
import { DIMENSIONS, WordVectors } from "../../../src/core/model/word-vectors.js";
import { createRandom } from "../../../src/training/random.js";

const VOCABULARY = 3000;
const random = createRandom(7);
const numbers = (length: number): Float32Array => Float32Array.from({ length }, () => random() * 2 - 1);

const net: Convolution = {
	vectors: new WordVectors(
		Int32Array.from({ length: VOCABULARY }, (_, row) => row * 7919),
		numbers(VOCABULARY * DIMENSIONS),
	),
	filters: numbers(PROJECTED * DIMENSIONS),
	filterBias: numbers(POOLED),
	output: numbers(HEADS * POOLED),
	outputBias: numbers(HEADS),
};

/** The same by the plain loops that training uses. */
function readPlainly(words: Int32Array): number[] {
	const rows = words.length === 0 ? [0] : [...words].map((word) => net.vectors.rowOf(word));
	const table = new Float32Array((rows.length + 1) * PROJECTED);
	const places = Int32Array.from(rows, (row, at) => {
		project(net.filters, net.vectors.values as Float32Array, row * DIMENSIONS, table, (at + 1) * PROJECTED);
		return (at + 1) * PROJECTED;
	});
	const best = new Float32Array(POOLED);
	pool(table, places, places.length, best);
	return Array.from({ length: HEADS }, (_, head) => {
		let sum = net.outputBias[head] as number;
		best.forEach((answer, filter) => {
			sum += Math.max(0, answer + (net.filterBias[filter] as number)) * (net.output[head * POOLED + filter] as number);
		});
		return sum;
	});
}

test("the vector loops answer what the plain ones do, for texts of any length and more words than the first table holds", () => {
	const reader = new ConvolutionReader(net);
	for (const length of [0, 1, 2, 3, 30, 511, 512, 513, 514, 1500, 2, 0]) {
		const words = Int32Array.from({ length }, () => Math.floor(random() * VOCABULARY * 1.1) * 7919);
		const z = new Float64Array(HEADS).fill(1);
		reader.addTo(z, words, length);
		const wanted = readPlainly(words);
		const most = Math.max(...wanted.map(Math.abs));
		z.forEach((answer, head) => void expect(Math.abs(answer - 1 - (wanted[head] as number)) / most).toBeLessThan(1e-5));
	}
});
