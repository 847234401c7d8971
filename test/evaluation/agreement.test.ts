import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { auroc, confusion, exactAgreement, f1, falsePositiveRate, precisionAtLeast, quadraticKappa, recallAtLeast } from "../../src/evaluation/agreement.js";

/** Rows are gold, columns predicted. */
const COUNTS = [
	[50, 5, 3, 2],
	[4, 20, 5, 1],
	[1, 3, 12, 4],
	[0, 1, 2, 7],
];

describe("agreement against a table counted by hand", () => {
	test("the confusion of pairs", () => {
		expect(
			confusion(
				[
					[0, 0],
					[0, 2],
					[2, 2],
					[2, 2],
					[1, 0],
				],
				3,
			),
		).toEqual([
			[1, 0, 1],
			[1, 0, 0],
			[0, 0, 2],
		]);
	});

	test.each([
		["exact", exactAgreement(COUNTS), 89 / 120],
		["recall of R2", recallAtLeast(COUNTS, 3, 3), 7 / 10],
		["R2 seen as R1-high at least", recallAtLeast(COUNTS, 3, 2), 9 / 10],
		["recall of R1-high or above", recallAtLeast(COUNTS, 2, 2), 25 / 30],
		["precision of R2", precisionAtLeast(COUNTS, 3), 7 / 14],
		["precision of R1-high or above", precisionAtLeast(COUNTS, 2), 25 / 36],
		["R0 called R1-high or above", falsePositiveRate(COUNTS, 2), 5 / 60],
		["R0 called R2", falsePositiveRate(COUNTS, 3), 2 / 60],
	])("%s", (_, actual, expected) => expect(actual).toBeCloseTo(expected, 12));

	test("quadratic weighted kappa", () => {
		// Two categories: kappa is Cohen's. Observed 0.7, by chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5.
		expect(
			quadraticKappa([
				[20, 5],
				[10, 15],
			]),
		).toBeCloseTo((0.7 - 0.5) / 0.5, 12);
		expect(
			quadraticKappa([
				[3, 0, 0],
				[0, 4, 0],
				[0, 0, 5],
			]),
		).toBe(1);
		// Three categories: observed 1 + 1 = 2; rows 3, 2, 1 and columns 2, 2, 2 of 6 give (30 + 8 + 10) / 6 = 8 by chance.
		const three = [
			[2, 1, 0],
			[0, 1, 1],
			[0, 0, 1],
		];
		expect(quadraticKappa(three)).toBeCloseTo(1 - 2 / 8, 12);
	});

	test("nothing counted gives null, not zero", () => {
		const empty = [
			[0, 0],
			[0, 0],
		];
		for (const figure of [exactAgreement(empty), recallAtLeast(empty, 1, 1), precisionAtLeast(empty, 1), falsePositiveRate(empty, 1)])
			expect(figure).toBeNull();
		expect(
			quadraticKappa([
				[5, 0],
				[0, 0],
			]),
		).toBeNull();
	});
});

describe("ranks", () => {
	test("auroc by hand: 5 of 6 pairs in order; a tie counts half", () => {
		expect(auroc([0.9, 0.4], [0.1, 0.5, 0.2])).toBeCloseTo(5 / 6, 12);
		expect(auroc([0.5], [0.5])).toBe(0.5);
		expect(auroc([0.5, 0.9], [0.5, 0.1])).toBeCloseTo(3.5 / 4, 12);
		expect(auroc([], [0.5])).toBeNull();
		expect(auroc([0.5], [])).toBeNull();
	});

	test("auroc is the share of pairs in order", () => {
		const scores = fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 25 });
		fc.assert(
			fc.property(scores, scores, (positives, negatives) => {
				let inOrder = 0;
				for (const high of positives) for (const low of negatives) inOrder += high > low ? 1 : high === low ? 0.5 : 0;
				expect(auroc(positives, negatives)).toBeCloseTo(inOrder / (positives.length * negatives.length), 10);
			}),
		);
	});

	test("f1 by hand: precision 2/3, recall 2/4", () => {
		expect(f1([0.9, 0.5, 0.4, 0.1], [0.6, 0.2], 0.5)).toBeCloseTo(4 / 7, 12);
		expect(f1([], [0.1], 0.5)).toBeNull();
		expect(f1([0.1], [], 0.5)).toBe(0);
	});
});
