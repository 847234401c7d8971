import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkPolicy, DEFAULT_POLICY, severity, toRisk, toRLevel } from "../../../src/core/risk/levels.js";
import { LabelError } from "../../../src/errors.js";
import { openScorer } from "../../../src/lexicon/open-scorer.js";
import { type Policy, R_LEVELS } from "../../../src/types.js";
import { foldSession } from "../../helpers/fold.js";

const policy = (mid: number, high: number, r2: number): Policy => ({ name: "test", thresholds: { "R1-mid": mid, "R1-high": high, R2: r2 } });

describe("levels", () => {
	test.each([
		[0, "R0"],
		[0.249, "R0"],
		[0.25, "R1-mid"],
		[0.499, "R1-mid"],
		[0.5, "R1-high"],
		[0.799, "R1-high"],
		[0.8, "R2"],
		[1, "R2"],
	])("%d is %s", (risk, level) => expect(toRLevel(risk, DEFAULT_POLICY)).toBe(level));

	test("severity counts from R0", () => expect(R_LEVELS.map(severity)).toEqual([0, 1, 2, 3]));

	test("a level's risk lies in its band, and rises with the strength", () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 0, max: 3 }),
				fc.double({ min: -1, max: 2, noNaN: true }),
				fc.double({ min: -1, max: 2, noNaN: true }),
				(level, one, other) => {
					expect(toRLevel(toRisk(level, one), DEFAULT_POLICY)).toBe(R_LEVELS[level]);
					expect(toRisk(level, Math.max(one, other))).toBeGreaterThanOrEqual(toRisk(level, Math.min(one, other)));
				},
			),
		);
	});
});

describe("policies", () => {
	test.each([
		["zero", policy(0, 0.5, 0.8)],
		["negative", policy(-0.1, 0.5, 0.8)],
		["equal", policy(0.5, 0.5, 0.8)],
		["falling", policy(0.5, 0.4, 0.8)],
		["high above R2", policy(0.2, 0.9, 0.8)],
		["above one", policy(0.2, 0.5, 1.1)],
		["no number", policy(Number.NaN, 0.5, 0.8)],
	])("%s thresholds are refused", (_, wrong) => {
		expect(() => checkPolicy(wrong)).toThrow(LabelError);
		expect(() => openScorer({ modelFile: null, policy: wrong })).toThrow(expect.objectContaining({ code: "invalid_policy" }));
	});

	test("a policy cuts the same risks elsewhere", () => {
		const strict = openScorer({ modelFile: null, policy: policy(0.05, 0.1, 0.5) });
		const turns = ["i feel numb", "i want to die"];
		const usual = foldSession(turns);
		const cut = foldSession(turns, strict);
		expect(cut.map(({ prs }) => prs)).toEqual(usual.map(({ prs }) => prs));
		expect(usual.map(({ r_level }) => r_level)).toEqual(["R1-mid", "R1-high"]);
		expect(cut.map(({ r_level }) => r_level)).toEqual(["R1-high", "R2"]);
	});
});
