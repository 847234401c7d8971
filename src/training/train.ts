import { FeatureBuffer } from "../core/model/features.js";
import { HEADS, LEVEL_HEADS, type Model, usedBuckets } from "../core/model/model.js";
import { addTurnFeatures } from "../core/model/turn-features.js";
import { type Engine, read, startSession, step } from "../core/step.js";
import type { SessionState, Turn } from "../types.js";
import { fitCalibration } from "./calibrate.js";
import type { Example } from "./corpus.js";
import { DEFAULT_FIT, type FitOptions, fitHeads, type Heads, type Prepared, score, target } from "./fit.js";

/** Neighbouring rows that stay in one fold: a risky row and its look-alike twins stand beside each other. */
const NEIGHBOURS = 20;
export const FOLDS = 5;

/** Calibrated probabilities from which a turn takes a level, chosen on held-out folds (docs/accuracy.md). */
export const CUTS = [0.5, 0.42, 0.42] as const;

/** Folds the context of an example by the rules and returns the features of its last turn. */
export function prepare(examples: readonly Example[], engine: Engine, weight = 1): Prepared[] {
	const features = new FeatureBuffer();
	const rules: Engine = { ...engine, model: undefined };
	return examples.map((example, at) => {
		let state: SessionState = startSession();
		for (const turn of example.turns.slice(0, -1)) state = step(state, turn, rules).state;
		features.clear();
		addTurnFeatures(features, read(state, example.turns.at(-1) as Turn, rules));
		return { example, buckets: features.bucket.slice(0, features.count), weight, fold: Math.floor(at / NEIGHBOURS) % FOLDS };
	});
}

/** Raw outputs of every example from a model that was not trained on its fold. */
export function crossValidate(rows: readonly Prepared[], options: FitOptions = DEFAULT_FIT): Float64Array[] {
	const outputs: Float64Array[] = new Array(rows.length);
	for (let fold = 0; fold < FOLDS; fold++) {
		const heads = fitHeads(
			rows.filter((row) => row.fold !== fold),
			options,
		);
		rows.forEach((row, at) => {
			if (row.fold === fold) outputs[at] = score(heads, row.buckets).slice();
		});
	}
	return outputs;
}

/** Trains on all rows; the calibration comes from held-out folds. Deterministic. */
export function trainModel(rows: readonly Prepared[], options: FitOptions = DEFAULT_FIT): Model {
	return quantise(fitHeads(rows, options), calibrate(rows, crossValidate(rows, options)));
}

/** Calibration of every head on held-out outputs; rows count only once whatever their weight. */
export function calibrate(rows: readonly Prepared[], outputs: readonly Float64Array[]): { slope: Float32Array; offset: Float32Array } {
	const slope = new Float32Array(HEADS);
	const offset = new Float32Array(HEADS);
	for (let head = 0; head < HEADS; head++) {
		const fitted = fitCalibration(
			outputs.map((output) => output[head] as number),
			rows.map(({ example }) => target(example, head)),
		);
		slope[head] = fitted.slope;
		offset[head] = fitted.offset;
	}
	return { slope, offset };
}

/** Rounds the weights of each head to 8 bits; the few outliers beyond 8 standard deviations are clipped. */
export function quantise({ bias, weights }: Heads, { slope, offset }: { slope: Float32Array; offset: Float32Array }): Model {
	const rounded = new Int8Array(weights.length);
	const scale = new Float32Array(HEADS);
	for (let head = 0; head < HEADS; head++) {
		let squares = 0;
		let used = 0;
		for (let at = head; at < weights.length; at += HEADS) {
			const weight = weights[at] as number;
			squares += weight * weight;
			if (weight !== 0) used++;
		}
		const unit = Math.fround((8 * Math.sqrt(squares / Math.max(1, used))) / 127) || 1;
		scale[head] = unit;
		for (let at = head; at < weights.length; at += HEADS) rounded[at] = Math.max(-127, Math.min(127, Math.round((weights[at] as number) / unit)));
	}
	return {
		bias: Float32Array.from(bias),
		scale,
		slope,
		offset,
		cuts: Float32Array.from(CUTS.slice(0, LEVEL_HEADS)),
		weights: rounded,
		used: usedBuckets(rounded),
	};
}
