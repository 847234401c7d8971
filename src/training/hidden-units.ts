import { HIDDEN, POOLED } from "../core/model/convolution.js";
import { LEVEL_HEADS } from "../core/model/heads.js";
import { Trained } from "./adam.js";
import type { Dropout } from "./heard-before.js";

/** The hidden units in training: they weigh the filters' answers, and what was said before (heard-before.ts), and add to the level heads. */
export class HiddenUnits {
	/** POOLED x HIDDEN. */
	readonly weights: Trained;
	readonly bias: Trained;
	/** HIDDEN x LEVEL_HEADS. */
	readonly outputs: Trained;
	/** Of the row at hand. */
	readonly sums = new Float32Array(HIDDEN);
	readonly errors = new Float32Array(HIDDEN);

	/** @param uniform makes that many first values within a bound */
	constructor(uniform: (length: number, bound: number) => Float32Array) {
		this.weights = new Trained(uniform(POOLED * HIDDEN, 1 / Math.sqrt(POOLED)), HIDDEN);
		this.bias = new Trained(new Float32Array(HIDDEN), HIDDEN);
		this.outputs = new Trained(uniform(HIDDEN * LEVEL_HEADS, 1 / Math.sqrt(HIDDEN)), LEVEL_HEADS);
	}

	/** Begins a row. */
	start(): void {
		this.sums.set(this.bias.values);
	}

	/** Adds the filters' answers to the sums, cuts and drops them, and adds what is left to the heads. */
	read(filters: Float32Array, heads: Float64Array, dropout: Dropout): void {
		const { sums } = this;
		const weights = this.weights.values;
		const outputs = this.outputs.values;
		for (let filter = 0; filter < POOLED; filter++) {
			const value = filters[filter] as number;
			if (value === 0) continue;
			for (let unit = 0, at = filter * HIDDEN; unit < HIDDEN; unit++, at++) sums[unit] = (sums[unit] as number) + value * (weights[at] as number);
		}
		for (let unit = 0; unit < HIDDEN; unit++) {
			const isKept = (sums[unit] as number) > 0 && dropout.random() >= dropout.chance;
			sums[unit] = isKept ? (sums[unit] as number) * dropout.keepScale : 0;
			if (!isKept) continue;
			for (let head = 0, at = unit * LEVEL_HEADS; head < LEVEL_HEADS; head++, at++)
				heads[head] = (heads[head] as number) + (sums[unit] as number) * (outputs[at] as number);
		}
	}

	/** Learns from the heads' errors, and works out the units' own. */
	learn(errors: ArrayLike<number>, keepScale: number): void {
		const outputs = this.outputs.values;
		const outputGradient = this.outputs.gradient;
		const biasGradient = this.bias.gradient;
		for (let unit = 0; unit < HIDDEN; unit++) {
			const value = this.sums[unit] as number;
			let back = 0;
			if (value > 0) {
				for (let head = 0, at = unit * LEVEL_HEADS; head < LEVEL_HEADS; head++, at++) {
					back += (errors[head] as number) * (outputs[at] as number);
					outputGradient[at] = (outputGradient[at] as number) + (errors[head] as number) * value;
				}
				back *= keepScale;
				biasGradient[unit] = (biasGradient[unit] as number) + back;
			}
			this.errors[unit] = back;
		}
	}

	/** Learns the weights of a filter that answered `value`; returns `back` with the filter's share of the units' errors. */
	learnFilter(filter: number, value: number, back: number): number {
		const weights = this.weights.values;
		const gradient = this.weights.gradient;
		let sum = back;
		for (let unit = 0, at = filter * HIDDEN; unit < HIDDEN; unit++, at++) {
			const error = this.errors[unit] as number;
			if (error === 0) continue;
			sum += error * (weights[at] as number);
			gradient[at] = (gradient[at] as number) + error * value;
		}
		return sum;
	}

	step(rate: number): void {
		for (const part of [this.weights, this.bias, this.outputs]) part.step(rate);
	}
}
