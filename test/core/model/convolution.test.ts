import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HEARD_ROLES } from "../../../src/core/model/before.js";
import { type Convolution, FILTERS, HIDDEN, POOLED, PROJECTED, pool } from "../../../src/core/model/convolution.js";
import { ConvolutionReader } from "../../../src/core/model/convolution-reader.js";
import { HEADS, LEVEL_HEADS } from "../../../src/core/model/heads.js";
import { DIMENSIONS, parseVectors, serialiseVectors, WordVectors } from "../../../src/core/model/word-vectors.js";

/** Three words: 11 points along the first dimension, 22 along the second; row 0 is the unknown word. */
function vectors(): WordVectors {
	const values = new Float32Array(3 * DIMENSIONS);
	values[DIMENSIONS] = 1;
	values[2 * DIMENSIONS + 1] = 1;
	return new WordVectors(Int32Array.from([0, 11, 22]), values);
}

/** A network with one filter of one width set: its weights per place as [dimension, weight]. */
function network(slice: number, places: [dimension: number, weight: number][], width: number): Convolution {
	const filters = new Float32Array(PROJECTED * DIMENSIONS);
	places.forEach(([dimension, weight], place) => {
		filters[(slice + place) * FILTERS * DIMENSIONS + dimension] = weight;
	});
	const output = new Float32Array(HEADS * POOLED);
	output[width * FILTERS] = 2;
	return {
		vectors: vectors(),
		filters,
		filterBias: new Float32Array(POOLED),
		output,
		outputBias: new Float32Array(HEADS).fill(0.5),
		hidden: new Float32Array(POOLED * HIDDEN),
		hiddenBias: new Float32Array(HIDDEN),
		hiddenOutput: new Float32Array(HIDDEN * LEVEL_HEADS),
		before: new Float32Array(HEARD_ROLES.length * HEADS * DIMENSIONS),
		hiddenBefore: new Float32Array(HEARD_ROLES.length * HIDDEN * DIMENSIONS),
	};
}

function read(net: Convolution, words: number[], said: { user?: number[]; assistant?: number[] } = {}): number {
	const z = new Float64Array(HEADS);
	const reader = new ConvolutionReader(net);
	const before = Object.fromEntries(
		HEARD_ROLES.flatMap((role, at) => (said[role] ? [[role, reader.hear(Int32Array.from(said[role]), said[role].length, at)]] : [])),
	);
	reader.addTo(z, Int32Array.from(words), words.length, before);
	return z[0] as number;
}

describe("convolution", () => {
	test("one word: the strongest place counts, once", () => {
		const net = network(0, [[0, 3]], 0);
		expect(read(net, [22])).toBeCloseTo(0.5);
		expect(read(net, [22, 11, 99, 11])).toBeCloseTo(0.5 + 2 * 3);
	});

	test("two words: order matters, and they must be neighbours", () => {
		const net = network(
			1,
			[
				[0, 1],
				[1, 1],
			],
			1,
		);
		expect(read(net, [11, 22])).toBeCloseTo(0.5 + 2 * 2);
		expect(read(net, [22, 11])).toBeCloseTo(0.5 + 2 * 1);
		expect(read(net, [11, 99, 22])).toBeCloseTo(0.5 + 2 * 1);
	});

	test("three words, also over the ends of the text", () => {
		const net = network(
			3,
			[
				[0, 1],
				[1, 1],
				[0, 1],
			],
			2,
		);
		expect(read(net, [11, 22, 11])).toBeCloseTo(0.5 + 2 * 3);
		expect(read(net, [11])).toBeCloseTo(0.5 + 2 * 1);
	});

	test("a hidden unit weighs filters together", () => {
		const net = network(0, [[0, 3]], 0);
		net.hidden[5] = 2;
		net.hiddenBias[5] = -4;
		net.hiddenOutput[5 * LEVEL_HEADS] = -10;
		expect(read(net, [22])).toBeCloseTo(0.5);
		expect(read(net, [11])).toBeCloseTo(0.5 + 2 * 3 - 10 * (2 * 3 - 4));
	});

	test("what was said before counts by role, as the mean of its last words", () => {
		const net = network(0, [[0, 3]], 0);
		net.before[0] = 4;
		net.before[HEADS * DIMENSIONS + 1] = 8;
		const reader = new ConvolutionReader(net);
		const said = (words: number[], role: number): number => reader.hear(Int32Array.from(words), words.length, role)[0] as number;
		expect(said([11], 0)).toBeCloseTo(4 / (1 + 3));
		expect(said([11, 11, 99], 0)).toBeCloseTo((2 * 4) / (3 + 3));
		expect(said([11, 22], 1)).toBeCloseTo(8 / (2 + 3));
		expect(said([], 0)).toBe(0);
		expect(said([22, ...new Array(40).fill(11)], 1)).toBe(0);
	});

	test("what was said before opens a hidden unit to a filter", () => {
		const net = network(0, [[0, 3]], 0);
		net.hidden[5] = 2;
		net.hiddenBias[5] = -8;
		net.hiddenOutput[5 * LEVEL_HEADS] = 10;
		// The assistant's 22, on the second dimension.
		net.hiddenBefore[(HIDDEN + 5) * DIMENSIONS + 1] = 16;
		expect(read(net, [11])).toBeCloseTo(0.5 + 2 * 3);
		expect(read(net, [11], { user: [22] })).toBeCloseTo(0.5 + 2 * 3);
		expect(read(net, [33], { assistant: [22] })).toBeCloseTo(0.5);
		expect(read(net, [11], { assistant: [22] })).toBeCloseTo(0.5 + 2 * 3 + 10 * (2 * 3 - 8 + 16 / (1 + 3)));
	});

	test("no words are one unknown word", () => expect(read(network(0, [[0, 3]], 0), [])).toBe(read(network(0, [[0, 3]], 0), [77])));

	test("more words never make a filter's answer weaker where windows stay whole", () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom(11, 22, 33), { maxLength: 30 }), fc.array(fc.constantFrom(11, 22, 33), { maxLength: 30 }), (text, more) => {
				const net = network(0, [[0, 3]], 0);
				expect(read(net, [...text, ...more])).toBeGreaterThanOrEqual(read(net, text.length === 0 ? [33] : text));
			}),
		);
	});

	test("the place of the best window is told to training", () => {
		const table = new Float32Array(3 * PROJECTED);
		table[2 * PROJECTED] = 5;
		const where = new Int16Array(POOLED);
		pool(table, Int32Array.from([PROJECTED, 2 * PROJECTED]), 2, new Float32Array(POOLED), where);
		expect(where[0]).toBe(1);
	});
});

describe("word vectors", () => {
	test("come back from bytes to within a rounding step, with their words", () => {
		fc.assert(
			fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 31 - 1 }), { minLength: 1, maxLength: 40 }), fc.integer(), (hashes, seed) => {
				const values = Float32Array.from({ length: (hashes.length + 1) * DIMENSIONS }, (_, at) => Math.sin(at * 7 + seed));
				const parsed = parseVectors(serialiseVectors(new WordVectors(Int32Array.from([0, ...hashes]), values)));
				hashes.forEach((hash, at) => void expect(parsed?.vectors.rowOf(hash)).toBe(at + 1));
				const read = new Float32Array(DIMENSIONS);
				for (let row = 0; row <= hashes.length; row++) {
					parsed?.vectors.copyTo(row, read);
					read.forEach((value, at) => void expect(Math.abs(value - (values[row * DIMENSIONS + at] as number))).toBeLessThan(1 / 127));
				}
			}),
			{ numRuns: 20 },
		);
	});

	test("a table that is cut off is none", () => expect(parseVectors(serialiseVectors(vectors()).slice(0, -1))).toBeUndefined());
	test("a word without a row is the unknown word", () => expect(vectors().rowOf(12345)).toBe(0));
});
