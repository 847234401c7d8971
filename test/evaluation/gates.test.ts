import { describe, expect, test } from "vitest";
import { checkGates, parseGate } from "../../src/evaluation/gates.js";

const KNOWN = ["exact", "recall(R2)", "recall(R2,R1-high)", "auroc(self_harm)", "signals.f1"];

describe("gates", () => {
	test.each([
		["recall(R2)>=0.9", "recall(R2)", ">=", 0.9],
		["exact > 90%", "exact", ">", 0.9],
		["recall(R2, R1-high) <= .5", "recall(R2,R1-high)", "<=", 0.5],
		["signals.f1<1", "signals.f1", "<", 1],
		[" auroc(self_harm) >= 0 ", "auroc(self_harm)", ">=", 0],
	])("%s", (text, figure, operator, value) => expect(parseGate(text, KNOWN)).toEqual({ text, figure, operator, value }));

	test.each(["", "exact", "exact>=", ">=0.9", "exact=0.9", "exact>=high", "exact>=-1", "exact>=0.9 and more"])("%s is refused", (text) =>
		expect(() => parseGate(text, KNOWN)).toThrow(expect.objectContaining({ code: "usage" })),
	);

	test("an unknown figure is refused with those that are known", () => {
		expect(() => parseGate("recal(R2)>=0.9", KNOWN)).toThrow(/recal\(R2\).*exact, recall\(R2\)/);
	});

	test("figures are compared; one that could not be counted does not meet its gate", () => {
		const met = (text: string, actual: number | null) => checkGates([parseGate(text, KNOWN)], { exact: actual })[0]?.isMet;
		expect([met("exact>=0.9", 0.9), met("exact>0.9", 0.9), met("exact<=0.9", 0.9), met("exact<0.9", 0.9)]).toEqual([true, false, true, false]);
		expect([met("exact>=0.9", 0.89), met("exact<0.9", 0.89)]).toEqual([false, true]);
		expect(checkGates([parseGate("exact>=0", KNOWN)], { exact: null })).toEqual([{ gate: "exact>=0", actual: null, isMet: false }]);
		expect(met("exact>=0", null)).toBe(false);
	});
});
