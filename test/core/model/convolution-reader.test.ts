import { expect, test } from "vitest";
import { HEARD_ROLES } from "../../../src/core/model/before.js";
import { type Convolution, HEARD, HIDDEN, POOLED, PROJECTED, pool } from "../../../src/core/model/convolution.js";
import { ConvolutionReader } from "../../../src/core/model/convolution-reader.js";
import { HEADS, LEVEL_HEADS } from "../../../src/core/model/heads.js";
import { DIMENSIONS, WordVectors } from "../../../src/core/model/word-vectors.js";
import { createRandom } from "../../../src/training/random.js";
import { project } from "../../helpers/project.js";

const VOCABULARY = 3000;
const random = createRandom(7);
/** Of the size that training gives them: the vector loops count in steps of 1/2048 and stop at 16. */
const numbers = (length: number): Float32Array => Float32Array.from({ length }, () => (random() * 2 - 1) * 0.5);

const net: Convolution = {
	vectors: new WordVectors(
		Int32Array.from({ length: VOCABULARY }, (_, row) => row * 7919),
		numbers(VOCABULARY * DIMENSIONS),
	),
	filters: numbers(PROJECTED * DIMENSIONS),
	filterBias: numbers(POOLED),
	output: numbers(HEADS * POOLED),
	outputBias: numbers(HEADS),
	hidden: numbers(POOLED * HIDDEN),
	hiddenBias: numbers(HIDDEN),
	hiddenOutput: numbers(HIDDEN * LEVEL_HEADS),
	before: numbers(HEARD_ROLES.length * HEADS * DIMENSIONS),
	hiddenBefore: numbers(HEARD_ROLES.length * HIDDEN * DIMENSIONS),
};

/** The same by the plain loops that training uses. */
function readPlainly(words: Int32Array, heard: readonly number[]): number[] {
	const rows = words.length === 0 ? [0] : [...words].map((word) => net.vectors.rowOf(word));
	const table = new Float32Array((rows.length + 1) * PROJECTED);
	const places = Int32Array.from(rows, (row, at) => {
		project(net.filters, net.vectors.values as Float32Array, row * DIMENSIONS, table, (at + 1) * PROJECTED);
		return (at + 1) * PROJECTED;
	});
	const best = new Float32Array(POOLED);
	pool(table, places, places.length, best);
	const active = Array.from(best, (answer, filter) => Math.max(0, answer + (net.filterBias[filter] as number)));
	const sum = (values: readonly number[], weight: (at: number) => number): number => values.reduce((total, value, at) => total + value * weight(at), 0);
	const units = Array.from(net.hiddenBias, (bias, unit) =>
		Math.max(0, bias + (heard[HEADS + unit] as number) + sum(active, (filter) => net.hidden[filter * HIDDEN + unit] as number)),
	);
	return Array.from(
		net.outputBias,
		(bias, head) =>
			bias +
			(heard[head] as number) +
			sum(active, (filter) => net.output[head * POOLED + filter] as number) +
			(head < LEVEL_HEADS ? sum(units, (unit) => net.hiddenOutput[unit * LEVEL_HEADS + head] as number) : 0),
	);
}

test("the vector loops answer what the plain ones do, for texts of any length and more words than the first table holds", () => {
	const reader = new ConvolutionReader(net);
	for (const length of [0, 1, 2, 3, 30, 511, 512, 513, 514, 1500, 2, 0]) {
		const words = Int32Array.from({ length }, () => Math.floor(random() * VOCABULARY * 1.1) * 7919);
		const z = new Float64Array(HEADS).fill(1);
		const user = Array.from(numbers(HEARD));
		reader.addTo(z, words, length, { user });
		const wanted = readPlainly(words, user);
		const most = Math.max(...wanted.map(Math.abs));
		// The loops weigh in 16 bits.
		z.forEach((answer, head) => void expect(Math.abs(answer - 1 - (wanted[head] as number)) / most).toBeLessThan(1e-3));
	}
});
