import { expect, test } from "vitest";
import { auroc, confusion, exactAgreement, f1, falsePositiveRate, precisionAtLeast, quadraticKappa, recallAtLeast } from "../../src/evaluation/agreement.js";

// Ten items by hand: gold 0 0 0 0 1 1 2 2 3 3, said 0 0 1 2 1 0 2 3 3 1.
const pairs = [
	[0, 0],
	[0, 0],
	[0, 1],
	[0, 2],
	[1, 1],
	[1, 0],
	[2, 2],
	[2, 3],
	[3, 3],
	[3, 1],
] as const;
const counts = confusion(pairs, 4);

test("confusion counts gold by row and said by column", () => {
	expect(counts).toEqual([
		[2, 1, 1, 0],
		[1, 1, 0, 0],
		[0, 0, 1, 1],
		[0, 1, 0, 1],
	]);
});

test("shares are those counted by hand", () => {
	expect(exactAgreement(counts)).toBe(0.5);
	expect(recallAtLeast(counts, 2, 2)).toBe(3 / 4);
	expect(recallAtLeast(counts, 3, 3)).toBe(1 / 2);
	expect(precisionAtLeast(counts, 2)).toBe(3 / 4);
	expect(falsePositiveRate(counts, 2)).toBe(1 / 4);
});

test("quadratic kappa is that of a hand-computed table", () => {
	// Observed: 1 + 4 + 1 + 1 + 4 = 11. Expected: rows 4 2 2 2, columns 3 3 2 2: (4 * 29 + 2 * 13 + 2 * 17 + 2 * 41) / 10 = 25.8.
	expect(quadraticKappa(counts)).toBeCloseTo(1 - 11 / 25.8, 10);
	expect(quadraticKappa(confusion([[1, 1]], 4))).toBeNull();
});

test("AUROC counts ties half, and says nothing without both kinds", () => {
	expect(auroc([0.9, 0.5], [0.5, 0.1])).toBe(3.5 / 4);
	expect(auroc([1], [0])).toBe(1);
	expect(auroc([], [0])).toBeNull();
});

test("F1 at a threshold", () => {
	// Two of three positives found, one false alarm: 2*2 / (3 + 3).
	expect(f1([0.9, 0.6, 0.2], [0.7, 0.1], 0.5)).toBeCloseTo(4 / 6, 10);
	expect(f1([], [0.1], 0.5)).toBeNull();
});
