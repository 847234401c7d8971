import { type Before, HEARD_ROLES, hear } from "../core/model/before.js";
import type { Convolution } from "../core/model/convolution.js";
import { ConvolutionReader } from "../core/model/convolution-reader.js";
import { BITS, FeatureBuffer } from "../core/model/features.js";
import { HEADS, LEVEL_HEADS } from "../core/model/heads.js";
import { type Model, rankOf } from "../core/model/model.js";
import { addTurnFeatures } from "../core/model/turn-features.js";
import type { WordVectors } from "../core/model/word-vectors.js";
import { type Engine, read, startSession, step } from "../core/step.js";
import { type SessionState, SIGNALS, type Signal, type Turn } from "../types.js";
import { fitCalibration } from "./calibrate.js";
import type { Example } from "./corpus.js";
import { DEFAULT_FIT, type FitOptions, fitHeads, type Heads, type Prepared, score, sideOf, target } from "./fit.js";
import { type ConvolutionOptions, DEFAULT_CONVOLUTION, fitConvolution } from "./fit-convolution.js";

/** Neighbouring rows that stay in one fold: a risky row and its look-alike twins stand beside each other. */
const NEIGHBOURS = 20;
export const FOLDS = 3;

/** Calibrated probabilities from which a turn takes a level, chosen with ALONE_LEAST on gold-dev against ordinary talk (docs/accuracy.md). */
export const CUTS = [0.4, 0.45, 0.3] as const;

/** Folds the context of an example by the rules and returns the features of its last turn. */
export function prepare(examples: readonly Example[], engine: Engine, weight = 1): Prepared[] {
	const features = new FeatureBuffer();
	const rules: Engine = { ...engine, predictor: undefined };
	return examples.map((example, at) => {
		let state: SessionState = startSession();
		let before: Before<Int32Array> = {};
		for (const turn of example.turns.slice(0, -1)) {
			state = step(state, turn, rules).state;
			before = hear(before, turn.role, () => engine.tokens.hash.slice(0, engine.tokens.count));
		}
		features.clear();
		addTurnFeatures(features, read(state, example.turns.at(-1) as Turn, rules));
		features.spellOut();
		return {
			example,
			buckets: features.bucket.slice(0, features.count),
			words: features.words.slice(0, features.wordCount),
			before,
			weight,
			fold: Math.floor(at / NEIGHBOURS) % FOLDS,
		};
	});
}

/** The two parts of a model, unquantised; their outputs add up. */
export interface Parts {
	heads: Heads;
	convolution: Convolution;
}

/** How the parts are trained. */
export interface TrainOptions {
	linear: FitOptions;
	convolution: ConvolutionOptions;
	/** Word vectors to start from. */
	vectors: WordVectors;
	/** Told what has been done, in words. */
	onProgress?: ((done: string) => void) | undefined;
}

export function trainOptions(vectors: WordVectors, onProgress?: (done: string) => void): TrainOptions {
	return { linear: DEFAULT_FIT, convolution: DEFAULT_CONVOLUTION, vectors, onProgress };
}

/** Trains both parts. */
export function fitParts(rows: readonly Prepared[], { linear, convolution, vectors, onProgress }: TrainOptions, name: string): Parts {
	const heads = fitHeads(rows, linear);
	onProgress?.(`${name}: linear part`);
	const sequences = rows.map(({ words, before, weight, example }) => ({
		words,
		before,
		weight,
		targets: Float32Array.from({ length: HEADS }, (_, head) => target(example, head)),
	}));
	return {
		heads,
		convolution: fitConvolution(sequences, vectors, convolution, (epoch) => onProgress?.(`${name}: pass ${epoch + 1} of ${convolution.epochs}`)),
	};
}

/** Raw outputs of every example from the parts that were not trained on its fold. */
export function heldOutOutputs(rows: readonly Prepared[], folds: readonly Parts[]): Float64Array[] {
	const readers = folds.map(({ convolution }) => new ConvolutionReader(convolution));
	return rows.map(({ fold, buckets, words, before }) => {
		const z = score((folds[fold] as Parts).heads, buckets).slice();
		const reader = readers[fold] as ConvolutionReader;
		const heard = HEARD_ROLES.map((role, at) => [role, before[role] && reader.hear(before[role], before[role].length, at)]);
		reader.addTo(z, words, words.length, Object.fromEntries(heard) as Before<number[]>);
		return z;
	});
}

/**
 * From which score a row shows a signal, other than 0.5: the corpus's writers gave 0.4 to much low mood and loneliness in which readers of other
 * sets see the signal (docs/accuracy.md, session 8).
 */
const SHOWN_FROM: Partial<Record<Signal, number>> = { depression: 0.4, isolation: 0.4 };

/**
 * Calibration of every head on held-out outputs; rows count only once whatever their weight. A signal is fitted to whether its mention is clear
 * (from 0.5; see SHOWN_FROM), so that 0.5 stands where a clear mention is as likely as a weak one or none (docs/accuracy.md).
 */
export function calibrate(rows: readonly Prepared[], outputs: readonly Float64Array[]): { slope: Float32Array; offset: Float32Array } {
	const slope = new Float32Array(HEADS);
	const offset = new Float32Array(HEADS);
	for (let head = 0; head < HEADS; head++) {
		const fitted = fitCalibration(
			outputs.map((output) => output[head] as number),
			rows.map(({ example }) => (isShown(example, head) ? 1 : 0)),
		);
		slope[head] = fitted.slope;
		offset[head] = fitted.offset;
	}
	return { slope, offset };
}

function isShown(example: Example, head: number): boolean {
	const signal = SIGNALS[head - LEVEL_HEADS];
	const from = signal && SHOWN_FROM[signal];
	return from === undefined ? sideOf(example, head) === true : (example.scores[head - LEVEL_HEADS] as number) >= from;
}

/** Rounds the weights of each head to 8 bits; the few outliers beyond 8 standard deviations are clipped. Buckets without weights are left out. */
export function quantise({ heads: { bias, weights }, convolution }: Parts, { slope, offset }: { slope: Float32Array; offset: Float32Array }): Model {
	const scale = Float32Array.from({ length: HEADS }, (_, head) => unitOf(weights, head));
	const used = new Uint32Array(2 ** BITS / 32);
	const rows: number[] = [];
	for (let bucket = 0; bucket < 2 ** BITS; bucket++) {
		const row = Array.from({ length: HEADS }, (_, head) =>
			Math.max(-127, Math.min(127, Math.round((weights[bucket * HEADS + head] as number) / (scale[head] as number)))),
		);
		if (row.every((weight) => weight === 0)) continue;
		used[bucket >>> 5] = (used[bucket >>> 5] as number) | (1 << (bucket & 31));
		rows.push(...row);
	}
	return {
		bias: Float32Array.from(bias),
		scale,
		slope,
		offset,
		cuts: Float32Array.from(CUTS.slice(0, LEVEL_HEADS)),
		used,
		rank: rankOf(used),
		weights: Int8Array.from(rows),
		convolution,
	};
}

/** What one step of a head's rounded weights is worth: 127 steps are 8 standard deviations. */
function unitOf(weights: Float32Array, head: number): number {
	let squares = 0;
	let used = 0;
	for (let at = head; at < weights.length; at += HEADS) {
		const weight = weights[at] as number;
		squares += weight * weight;
		if (weight !== 0) used++;
	}
	return (8 * Math.sqrt(squares / Math.max(1, used))) / 127 || 1;
}
