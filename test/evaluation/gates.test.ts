import { expect, test } from "vitest";
import { bootstrap } from "../../src/evaluation/bootstrap.js";
import { checkGates, parseGate } from "../../src/evaluation/gates.js";

const known = ["recall(R2)", "false_positives(R1-high)", "kappa"];

test("a gate is a figure, a comparison and a number or a share in per cent", () => {
	expect(parseGate("recall(R2)>=0.9", known)).toMatchObject({ figure: "recall(R2)", operator: ">=", value: 0.9 });
	expect(parseGate(" false_positives(R1-high) < 2% ", known)).toMatchObject({ figure: "false_positives(R1-high)", operator: "<", value: 0.02 });
});

test.each(["recall(R2)", "recall(R2)>=many", "nonsense>=1", ">=0.5"])("%s is refused with what is known", (text) => {
	expect(() => parseGate(text, known)).toThrow(/--require/);
});

test("a gate on the border is met, one on a figure that could not be counted is not", () => {
	const gates = known.map((figure) => parseGate(`${figure}>=0.5`, known));
	const results = checkGates(gates, { "recall(R2)": 0.5, "false_positives(R1-high)": 0.49, kappa: null });
	expect(results.map(({ isMet }) => isMet)).toEqual([true, false, false]);
});

test("the bootstrap is repeatable, holds the figure and narrows with more conversations", () => {
	const mean = (sample: readonly number[]): Record<string, number> => ({ mean: sample.reduce((sum, value) => sum + value, 0) / sample.length });
	const few = Array.from({ length: 20 }, (_, at) => at % 2);
	const many = Array.from({ length: 2000 }, (_, at) => at % 2);
	const narrow = bootstrap(many, mean, 200).mean as { low: number; high: number };
	const wide = bootstrap(few, mean, 200).mean as { low: number; high: number };
	expect(bootstrap(few, mean, 200).mean).toEqual(wide);
	expect(wide.low).toBeLessThan(0.5);
	expect(wide.high).toBeGreaterThan(0.5);
	expect(narrow.high - narrow.low).toBeLessThan((wide.high - wide.low) / 3);
});
