import { sigmoid } from "../core/model/model.js";

/** A logistic curve over a head's raw output (Platt 1999). */
export interface Calibration {
	slope: number;
	offset: number;
}

/** Most Newton steps; the fit is convex in two parameters and settles in fewer than ten. */
const MOST_STEPS = 50;

/**
 * Fits probability = sigmoid(slope * z + offset) to graded targets in [0, 1] by Newton's method.
 * @param outputs raw outputs of a head on rows that it was not trained on
 */
export function fitCalibration(outputs: readonly number[], targets: readonly number[]): Calibration {
	let slope = 1;
	let offset = 0;
	for (let step = 0; step < MOST_STEPS; step++) {
		let gradientSlope = 0;
		let gradientOffset = 0;
		let h11 = 1e-6;
		let h12 = 0;
		let h22 = 1e-6;
		for (let at = 0; at < outputs.length; at++) {
			const z = outputs[at] as number;
			const probability = sigmoid(slope * z + offset);
			const error = probability - (targets[at] as number);
			const curve = probability * (1 - probability);
			gradientSlope += error * z;
			gradientOffset += error;
			h11 += curve * z * z;
			h12 += curve * z;
			h22 += curve;
		}
		const determinant = h11 * h22 - h12 * h12;
		if (Math.abs(determinant) < 1e-9) break;
		const moveSlope = (h22 * gradientSlope - h12 * gradientOffset) / determinant;
		const moveOffset = (h11 * gradientOffset - h12 * gradientSlope) / determinant;
		slope -= moveSlope;
		offset -= moveOffset;
		if (Math.abs(moveSlope) + Math.abs(moveOffset) < 1e-7) break;
	}
	return { slope, offset };
}
