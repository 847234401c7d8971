import { FEW_WORDS, HEARD_ROLES } from "../core/model/before.js";
import { HIDDEN } from "../core/model/convolution.js";
import { HEADS } from "../core/model/heads.js";
import { DIMENSIONS } from "../core/model/word-vectors.js";
import { Trained } from "./adam.js";

/** Step of the weights to the hidden units as a multiple of the others', and of their first values: the numbers of a mean vector are small. */
const HEARING = 3;

/** How a number is left out (dropout), and what keeps the sum the same on average. */
export interface Dropout {
	chance: number;
	keepScale: number;
	random: () => number;
}

/**
 * What was said before in training: the mean vector of each role's last words, weighed into heads and hidden units. Rows of words, places of the
 * roles and what is dropped are the caller's (fit-convolution.ts).
 */
export class HeardBefore {
	readonly heads: Trained;
	readonly units: Trained;
	/** Of the row at hand. */
	private readonly means = HEARD_ROLES.map(() => new Float32Array(DIMENSIONS));
	private readonly meanErrors = new Float32Array(DIMENSIONS);

	/** @param uniform makes that many first values within a bound */
	constructor(uniform: (length: number, bound: number) => Float32Array) {
		this.heads = new Trained(uniform(HEARD_ROLES.length * HEADS * DIMENSIONS, 0.1 / Math.sqrt(DIMENSIONS)), DIMENSIONS);
		this.units = new Trained(uniform(HEARD_ROLES.length * HIDDEN * DIMENSIONS, HEARING / Math.sqrt(DIMENSIONS)), DIMENSIONS);
	}

	/** Adds what a role said, smoothed as the reader does it, to the heads' outputs and the units' sums. */
	read(words: Int32Array, role: number, vectors: Float32Array, outputs: { heads: Float64Array; units: Float32Array }, dropout: Dropout): void {
		const mean = this.means[role] as Float32Array;
		mean.fill(0);
		for (const row of words)
			for (let index = 0; index < DIMENSIONS; index++) mean[index] = (mean[index] as number) + (vectors[row * DIMENSIONS + index] as number);
		for (let index = 0; index < DIMENSIONS; index++)
			mean[index] = dropout.random() < dropout.chance ? 0 : ((mean[index] as number) / (words.length + FEW_WORDS)) * dropout.keepScale;
		addProducts(outputs.heads, this.heads.values, role, mean);
		addProducts(outputs.units, this.units.values, role, mean);
	}

	/**
	 * Learns from the errors of heads and units.
	 * @param slotOf place of each word's gradient in `gradient`
	 */
	learn(
		words: Int32Array,
		role: number,
		errors: { heads: ArrayLike<number>; units: ArrayLike<number> },
		{ slotOf, gradient, keepScale }: { slotOf: Int32Array; gradient: Float32Array; keepScale: number },
	): void {
		const { meanErrors } = this;
		const mean = this.means[role] as Float32Array;
		meanErrors.fill(0);
		this.learnProducts(this.heads, errors.heads, role);
		this.learnProducts(this.units, errors.units, role);
		for (let index = 0; index < DIMENSIONS; index++)
			meanErrors[index] = mean[index] === 0 ? 0 : ((meanErrors[index] as number) * keepScale) / (words.length + FEW_WORDS);
		for (const row of words)
			for (let index = 0, at = (slotOf[row] as number) * DIMENSIONS; index < DIMENSIONS; index++, at++)
				gradient[at] = (gradient[at] as number) + (meanErrors[index] as number);
	}

	step(rate: number): void {
		this.heads.step(rate);
		this.units.step(HEARING * rate);
	}

	/** Errors of outputs that were added by `addProducts`: to the weights' gradient and to the mean vector. */
	private learnProducts({ values, gradient }: Trained, errors: ArrayLike<number>, role: number): void {
		const { meanErrors } = this;
		const mean = this.means[role] as Float32Array;
		for (let output = 0; output < errors.length; output++) {
			const error = errors[output] as number;
			if (error === 0) continue;
			for (let index = 0, at = (role * errors.length + output) * DIMENSIONS; index < DIMENSIONS; index++, at++) {
				gradient[at] = (gradient[at] as number) + error * (mean[index] as number);
				meanErrors[index] = (meanErrors[index] as number) + error * (values[at] as number);
			}
		}
	}
}

/** Adds the products of a role's weights (outputs x DIMENSIONS) with its mean vector to `outputs`. */
function addProducts(outputs: Float32Array | Float64Array, weights: Float32Array, role: number, mean: Float32Array): void {
	for (let output = 0; output < outputs.length; output++) {
		let sum = 0;
		for (let index = 0, at = (role * outputs.length + output) * DIMENSIONS; index < DIMENSIONS; index++, at++)
			sum += (weights[at] as number) * (mean[index] as number);
		outputs[output] = (outputs[output] as number) + sum;
	}
}
