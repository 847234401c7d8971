import { sigmoid } from "../core/model/model.js";

/** A logistic curve over a head's raw output (Platt 1999). */
export interface Calibration {
	slope: number;
	offset: number;
}

/** Most Newton steps; the fit is convex in two parameters and settles in about ten. */
const MOST_STEPS = 50;
/** How often a Newton step that makes the fit worse is halved: far from the optimum the full step overshoots. */
const MOST_HALVINGS = 30;

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
		const before = loss(outputs, targets, slope, offset);
		let part = 1;
		for (let halving = 0; halving < MOST_HALVINGS && loss(outputs, targets, slope - part * moveSlope, offset - part * moveOffset) > before; halving++)
			part /= 2;
		slope -= part * moveSlope;
		offset -= part * moveOffset;
		if (Math.abs(moveSlope) + Math.abs(moveOffset) < 1e-7) break;
	}
	return { slope, offset };
}

/** Cross-entropy of the curve, summed over the rows; from the outputs themselves, so that it stays finite. */
function loss(outputs: readonly number[], targets: readonly number[], slope: number, offset: number): number {
	let sum = 0;
	for (let at = 0; at < outputs.length; at++) {
		const z = slope * (outputs[at] as number) + offset;
		sum += Math.max(z, 0) - z * (targets[at] as number) + Math.log1p(Math.exp(-Math.abs(z)));
	}
	return sum;
}
