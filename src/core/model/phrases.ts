import type { TokenBuffer } from "../text/tokens.js";
import { addTextFeatures, type FeatureBuffer } from "./features.js";
import { type Model, rowOf } from "./model.js";

/** Longest phrase that is named as the model's reason, in words. */
const LONGEST = 6;

/** The run of at most six words of one sentence whose features weigh most for a head: tokens [first, until). `features` is work space. */
export function strongestPhrase(model: Model, tokens: TokenBuffer, head: number, features: FeatureBuffer): { first: number; until: number } {
	const gain = new Float64Array(tokens.count);
	for (let at = 0; at < tokens.count; at++) {
		features.clear();
		const from = at > 0 && tokens.sentence[at - 1] === tokens.sentence[at] ? at - 1 : at;
		addTextFeatures(features, tokens, from, at + 1);
		let sum = 0;
		for (let index = 0; index < features.count; index++) {
			const row = rowOf(model, features.bucket[index] as number);
			if (row !== -1) sum += model.weights[row + head] as number;
		}
		gain[at] = sum / (at + 1 - from);
	}
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
