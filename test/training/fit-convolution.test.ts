import { describe, expect, test } from "vitest";
import { FEW_WORDS, HEARD_ROLES } from "../../src/core/model/before.js";
import { type Convolution, HIDDEN, POOLED, PROJECTED, pool } from "../../src/core/model/convolution.js";
import { HEADS, LEVEL_HEADS } from "../../src/core/model/heads.js";
import { sigmoid } from "../../src/core/model/model.js";
import { DIMENSIONS, WordVectors } from "../../src/core/model/word-vectors.js";
import { DEFAULT_CONVOLUTION, fitConvolution, type Sequence } from "../../src/training/fit-convolution.js";
import { createRandom } from "../../src/training/random.js";
import { project } from "../helpers/project.js";

const WORDS = [11, 22, 33, 44, 55];
const random = createRandom(3);
const vectors = new WordVectors(
	Int32Array.from([0, ...WORDS]),
	Float32Array.from({ length: 6 * DIMENSIONS }, () => random() - 0.5),
);
const rows: Sequence[] = [
	{
		words: Int32Array.from([11, 22, 33, 22]),
		before: { user: Int32Array.from([44, 44]), assistant: Int32Array.from([55]) },
		targets: Float32Array.from({ length: HEADS }, (_, head) => (head % 3) / 2),
		weight: 0.7,
	},
	{ words: Int32Array.from([33]), before: { user: Int32Array.from([11]) }, targets: new Float32Array(HEADS), weight: 1 },
];

/** Loss of the rows, worked out plainly. */
function lossOf(net: Convolution): number {
	const values = net.vectors.values as Float32Array;
	let loss = 0;
	for (const { words, before, targets, weight } of rows) {
		const table = new Float32Array((words.length + 1) * PROJECTED);
		const places = Int32Array.from(words, (word, at) => {
			project(net.filters, values, net.vectors.rowOf(word) * DIMENSIONS, table, (at + 1) * PROJECTED);
			return (at + 1) * PROJECTED;
		});
		const best = new Float32Array(POOLED);
		pool(table, places, places.length, best);
		const active = Array.from(best, (answer, filter) => Math.max(0, answer + (net.filterBias[filter] as number)));
		/** What was said before adds to an output, by its weights. */
		const heard = (weights: Float32Array, outputs: number, output: number): number =>
			HEARD_ROLES.flatMap((role, place) =>
				[...(before[role] ?? [])].flatMap((word) =>
					Array.from(
						{ length: DIMENSIONS },
						(_, index) =>
							((weights[(place * outputs + output) * DIMENSIONS + index] as number) * (values[net.vectors.rowOf(word) * DIMENSIONS + index] as number)) /
							((before[role]?.length ?? 0) + FEW_WORDS),
					),
				),
			).reduce((sum, value) => sum + value, 0);
		for (let head = 0; head < HEADS; head++) {
			let z = net.outputBias[head] as number;
			for (let filter = 0; filter < POOLED; filter++) z += (active[filter] as number) * (net.output[head * POOLED + filter] as number);
			for (let unit = 0; unit < HIDDEN && head < LEVEL_HEADS; unit++) {
				const sum = active.reduce(
					(total, value, filter) => total + value * (net.hidden[filter * HIDDEN + unit] as number),
					(net.hiddenBias[unit] as number) + heard(net.hiddenBefore, HIDDEN, unit),
				);
				z += Math.max(0, sum) * (net.hiddenOutput[unit * LEVEL_HEADS + head] as number);
			}
			z += heard(net.before, HEADS, head);
			const p = sigmoid(z);
			const wanted = targets[head] as number;
			loss -= weight * (head < LEVEL_HEADS ? 1.5 : 1) * (wanted * Math.log(p) + (1 - wanted) * Math.log(1 - p));
		}
	}
	return loss;
}

describe("training of the convolution", () => {
	const still = { ...DEFAULT_CONVOLUTION, dropFilter: 0, dropWord: 0 };
	const start = fitConvolution(rows, vectors, { ...still, epochs: 0 });
	const after = fitConvolution(rows, vectors, { ...still, epochs: 1 });
	const lists = ["filters", "filterBias", "output", "outputBias", "hidden", "hiddenBias", "hiddenOutput", "before", "hiddenBefore"] as const;

	/** Adam's first step goes by the sign of the gradient, whatever its size. */
	test.each([...lists, "vectors"] as const)("moves %s against the gradient", (list) => {
		const numbersOf = (net: Convolution): Float32Array => (list === "vectors" ? (net.vectors.values as Float32Array) : net[list]);
		const numbers = numbersOf(start);
		const moved = numbersOf(after);
		let judged = 0;
		const step = Math.max(1, Math.floor(numbers.length / 40));
		for (let at = 0; at < numbers.length; at += step) {
			const value = numbers[at] as number;
			const width = 1e-2;
			numbers[at] = value + width;
			const above = lossOf(start);
			numbers[at] = value - width;
			const below = lossOf(start);
			numbers[at] = value;
			const here = lossOf(start);
			const slope = (above - below) / (2 * width);
			// Where a maximum or a unit switches within the step, or nothing changes, there is nothing to judge.
			if (Math.abs(slope) < 1e-3 || Math.abs(above + below - 2 * here) > 0.2 * Math.abs(above - below)) continue;
			judged++;
			expect(Math.sign((moved[at] as number) - value)).toBe(-Math.sign(slope));
		}
		expect(judged).toBeGreaterThan(5);
	});

	test("is deterministic", () => {
		const again = fitConvolution(rows, vectors, { ...still, epochs: 1 });
		for (const list of lists) expect(again[list]).toEqual(after[list]);
	});
});
