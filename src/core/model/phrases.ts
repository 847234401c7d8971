import type { TokenBuffer } from "../text/tokens.js";
import { addTextFeatures, type FeatureBuffer } from "./features.js";
import type { LinearReader } from "./linear-reader.js";

/** Longest phrase that is named as the model's reason, in words. */
const LONGEST = 6;

/** Tokens [first, until). */
export interface Phrase {
	first: number;
	until: number;
}

/**
 * For each of some heads the run of at most six words of one sentence whose features weigh most for it.
 * @param features work space
 */
export function strongestPhrases(linear: LinearReader, tokens: TokenBuffer, heads: readonly number[], features: FeatureBuffer): Phrase[] {
	const gains = heads.map(() => new Float64Array(tokens.count));
	for (let at = 0; at < tokens.count; at++) {
		features.clear();
		const from = at > 0 && tokens.sentence[at - 1] === tokens.sentence[at] ? at - 1 : at;
		addTextFeatures(features, tokens, from, at + 1);
		const sums = linear.sum(features);
		for (let index = 0; index < heads.length; index++) (gains[index] as Float64Array)[at] = (sums[heads[index] as number] as number) / (at + 1 - from);
	}
	return gains.map((gain) => strongestRun(gain, tokens));
}

function strongestRun(gain: Float64Array, tokens: TokenBuffer): Phrase {
	let best = { first: 0, until: Math.min(1, tokens.count) };
	let most = Number.NEGATIVE_INFINITY;
	for (let first = 0; first < tokens.count; first++) {
		let sum = 0;
		for (let until = first + 1; until <= Math.min(first + LONGEST, tokens.count) && tokens.sentence[until - 1] === tokens.sentence[first]; until++) {
			sum += gain[until - 1] as number;
			if (sum > most) {
				most = sum;
				best = { first, until };
			}
		}
	}
	return best;
}
