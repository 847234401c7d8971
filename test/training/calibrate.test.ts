import { describe, expect, test } from "vitest";
import { sigmoid } from "../../src/core/model/model.js";
import { fitCalibration } from "../../src/training/calibrate.js";

const OUTPUTS = Array.from({ length: 401 }, (_, at) => (at - 200) / 50);

describe("calibration", () => {
	test.each([
		[1, 0],
		[2.5, -1],
		[0.4, 0.7],
		// Outputs far apart: the first full Newton step would overshoot.
		[0.05, -4],
		[8, 20],
	])("recovers the curve of slope %d and offset %d", (slope, offset) => {
		const fitted = fitCalibration(
			OUTPUTS,
			OUTPUTS.map((z) => sigmoid(slope * z + offset)),
		);
		expect(fitted.slope).toBeCloseTo(slope, 3);
		expect(fitted.offset).toBeCloseTo(offset, 3);
	});

	test("outputs that say nothing give the share of positives", () => {
		const { slope, offset } = fitCalibration(
			OUTPUTS.map(() => 0),
			OUTPUTS.map((_, at) => (at % 4 === 0 ? 1 : 0)),
		);
		expect(sigmoid(slope * 0 + offset)).toBeCloseTo(0.25, 2);
	});

	test("a perfect separation still gives finite numbers, the right way round", () => {
		const { slope, offset } = fitCalibration(
			OUTPUTS,
			OUTPUTS.map((z) => (z > 0 ? 1 : 0)),
		);
		expect(Number.isFinite(slope) && Number.isFinite(offset)).toBe(true);
		expect(slope).toBeGreaterThan(1);
	});
});
