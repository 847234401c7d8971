import { expect, test } from "vitest";
import { bootstrap } from "../../src/evaluation/bootstrap.js";

const mean = (sample: readonly number[]) => ({ mean: sample.reduce((sum, value) => sum + value, 0) / sample.length });

test("the same groups give the same interval", () => {
	const groups = Array.from({ length: 40 }, (_, at) => (at * 37) % 11);
	expect(bootstrap(groups, mean, 200)).toEqual(bootstrap(groups, mean, 200));
});

test("the interval holds the figure and narrows with more groups", () => {
	const few = bootstrap([0, 1, 0, 1, 0, 1], mean, 500)["mean"] as { low: number; high: number };
	const many = bootstrap(
		Array.from({ length: 600 }, (_, at) => at % 2),
		mean,
		500,
	)["mean"] as { low: number; high: number };
	for (const { low, high } of [few, many]) {
		expect(low).toBeLessThan(0.5);
		expect(high).toBeGreaterThan(0.5);
	}
	// 1.96 standard errors of a fair coin: 0.4 for six groups, 0.04 for six hundred.
	expect(many.high - many.low).toBeGreaterThan(0.05);
	expect(many.high - many.low).toBeLessThan(0.11);
	expect(few.high - few.low).toBeGreaterThan(0.5);
});

test("figures that could not be counted are left out", () => {
	expect(bootstrap([1, 2], () => ({ none: null, one: 1 }), 20)).toEqual({ one: { low: 1, high: 1 } });
});
