import type { Before } from "../core/model/before.js";
import { BITS } from "../core/model/features.js";
import { HEADS, LEVEL_HEADS } from "../core/model/heads.js";
import { SMOOTHING, sigmoid } from "../core/model/model.js";
import { type Example, isClear } from "./corpus.js";
import { createRandom, shuffle } from "./random.js";

/** An example with its feature buckets. */
export interface Prepared {
	example: Example;
	buckets: Int32Array;
	/** Facts of rules and session, then the words, as hashes (see `FeatureBuffer.words`). */
	words: Int32Array;
	/** What was said before the turn, as hashes of words. */
	before: Before<Int32Array>;
	/** How much the example counts, 1 for authored rows. */
	weight: number;
	/** Fold for cross-validation; neighbours in a file share one, because twins stand beside each other. */
	fold: number;
}

/** Unquantised linear heads. */
export interface Heads {
	bias: Float64Array;
	weights: Float32Array;
}

export interface FitOptions {
	/** Passes over the data. */
	epochs: number;
	/** AdaGrad step. */
	rate: number;
	/** Weight decay. */
	decay: number;
}

/** Chosen by cross-validation on the corpus (docs/accuracy.md). */
export const DEFAULT_FIT: FitOptions = { epochs: 6, rate: 0.3, decay: 1e-6 };

/** A bucket must be hit by this many rows before it gets a weight: what few rows share is chance, not language; 8 did as well as 3 and halve the model. */
const LEAST_ROWS = 8;

/** 1 for each bucket that enough rows hit. */
function commonBuckets(examples: readonly Prepared[]): Uint8Array {
	const rows = new Uint8Array(2 ** BITS);
	for (const { buckets } of examples)
		for (const bucket of new Set(buckets)) if ((rows[bucket] as number) < LEAST_ROWS) rows[bucket] = (rows[bucket] as number) + 1;
	return rows.map((count) => (count >= LEAST_ROWS ? 1 : 0));
}

/** Which side of a head an example is on; undefined for a signal that is neither clear nor absent. */
export function sideOf({ level, scores }: Example, head: number): boolean | undefined {
	return head < LEVEL_HEADS ? level > head : isClear(scores[head - LEVEL_HEADS] as number);
}

/** Wanted output of a head: 0 or 1 for the level heads, the graded score for the signals. */
export function target(example: Example, head: number): number {
	if (head < LEVEL_HEADS) return example.level > head ? 1 : 0;
	return lifted(example.scores[head - LEVEL_HEADS] as number);
}

/**
 * A regression that is unsure answers towards the middle, so that clear mentions (0.4 to 0.6 in the corpus) would come out below 0.5,
 * the guide's "clear". The targets are lifted around that anchor; 0 and 1 stay.
 */
function lifted(score: number): number {
	return score < 0.5 ? 1.25 * score : 0.625 + 0.75 * (score - 0.5);
}

/** Logistic regression with AdaGrad; deterministic: the same examples in the same order give the same weights. */
export function fitHeads(examples: readonly Prepared[], options: FitOptions): Heads {
	const weights = new Float32Array(HEADS * 2 ** BITS);
	const seen = new Float32Array(weights.length).fill(1e-3);
	const bias = new Float64Array(HEADS);
	const seenBias = new Float64Array(HEADS).fill(1e-3);
	const error = new Float64Array(HEADS);
	const common = commonBuckets(examples);
	const order = examples.map((_, at) => at);
	const random = createRandom();
	for (let epoch = 0; epoch < options.epochs; epoch++) {
		shuffle(order, random);
		for (const at of order) {
			const { buckets, example, weight } = examples[at] as Prepared;
			const norm = 1 / Math.sqrt(buckets.length + SMOOTHING);
			const z = score({ bias, weights }, buckets);
			for (let head = 0; head < HEADS; head++) {
				const off = weight * (sigmoid(z[head] as number) - target(example, head));
				error[head] = off;
				seenBias[head] = (seenBias[head] as number) + off * off;
				bias[head] = (bias[head] as number) - (0.1 * options.rate * off) / Math.sqrt(seenBias[head] as number);
			}
			for (const bucket of buckets) {
				if (common[bucket] === 0) continue;
				for (let head = 0, place = bucket * HEADS; head < HEADS; head++, place++) {
					const gradient = (error[head] as number) * norm + options.decay * (weights[place] as number);
					const sum = (seen[place] as number) + gradient * gradient;
					seen[place] = sum;
					weights[place] = (weights[place] as number) - (options.rate * gradient) / Math.sqrt(sum);
				}
			}
		}
	}
	return { bias, weights };
}

const scores = new Float64Array(HEADS);

/** Uncalibrated outputs of all heads; the array is reused by the next call. */
export function score({ bias, weights }: Heads, buckets: Int32Array): Float64Array {
	scores.fill(0);
	for (const bucket of buckets)
		for (let head = 0, place = bucket * HEADS; head < HEADS; head++, place++) scores[head] = (scores[head] as number) + (weights[place] as number);
	const norm = 1 / Math.sqrt(buckets.length + SMOOTHING);
	for (let head = 0; head < HEADS; head++) scores[head] = (bias[head] as number) + (scores[head] as number) * norm;
	return scores;
}
