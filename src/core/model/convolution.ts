import { HEADS } from "./heads.js";
import type { WordVectors } from "./word-vectors.js";

/**
 * The convolutional part of the model (Kim 2014): filters over one, two and three neighbouring words, each reduced to its strongest
 * place in the text, then linear heads. Word vectors make words that were never in a training row count like their relatives.
 */
export interface Convolution {
	vectors: WordVectors;
	/** SLICES x FILTERS x DIMENSIONS; the slices are the places of the widths: 1 | 2, 2 | 3, 3, 3. */
	filters: Float32Array;
	/** WIDTHS x FILTERS. */
	filterBias: Float32Array;
	/** HEADS x WIDTHS x FILTERS. */
	output: Float32Array;
	/** HEADS. */
	outputBias: Float32Array;
	/**
	 * POOLED x HIDDEN: filters together, where one alone means little ("done", "membership"). Only for the levels: signals are said in words, and
	 * units for them read other people's posts worse (docs/accuracy.md).
	 */
	hidden: Float32Array;
	/** HIDDEN. */
	hiddenBias: Float32Array;
	/** HIDDEN x LEVEL_HEADS. */
	hiddenOutput: Float32Array;
	/** HEARD_ROLES x HEADS x DIMENSIONS: what the mean word vector of a turn adds to the heads of the next one (before.ts). */
	before: Float32Array;
	/** HEARD_ROLES x HIDDEN x DIMENSIONS: what it adds to the hidden units, where "no" can mean one thing after one question and another after another. */
	hiddenBefore: Float32Array;
}

/** Filters of each width: 96 read rows of other writers better than 48 (docs/accuracy.md). */
export const FILTERS = 96;
export const WIDTHS = 3;
/** Places of all widths together: 1 + 2 + 3. */
export const SLICES = 6;
/** Numbers that a word contributes: FILTERS for each slice. */
export const PROJECTED = SLICES * FILTERS;
export const POOLED = WIDTHS * FILTERS;
/** Hidden units behind the filters (docs/accuracy.md). */
export const HIDDEN = 32;
/** What was said before adds to all heads and hidden units, in this order. */
export const HEARD = HEADS + HIDDEN;

/**
 * Strongest answer of each filter over all places, before its bias. Windows may reach over either end of the text, where nothing stands.
 * @param table projections, PROJECTED numbers a word; its first PROJECTED numbers are 0: the place where nothing stands
 * @param places where each word's projections begin in `table`
 * @param best POOLED numbers, overwritten
 * @param where index of the last word of each best window (it may lie behind the text), for training
 */
export function pool(table: Float32Array, places: Int32Array, count: number, best: Float32Array, where?: Int16Array): void {
	best.fill(Number.NEGATIVE_INFINITY);
	let first = 0;
	let middle = 0;
	for (let at = 0; at < count + 2; at++) {
		const last = at < count ? (places[at] as number) : 0;
		if (at < count) {
			for (let filter = 0; filter < FILTERS; filter++) {
				const answer = table[last + filter] as number;
				if (answer > (best[filter] as number)) {
					best[filter] = answer;
					if (where) where[filter] = at;
				}
			}
		}
		if (at <= count) {
			for (let filter = FILTERS; filter < 2 * FILTERS; filter++) {
				const answer = (table[middle + filter] as number) + (table[last + FILTERS + filter] as number);
				if (answer > (best[filter] as number)) {
					best[filter] = answer;
					if (where) where[filter] = at;
				}
			}
		}
		for (let filter = 2 * FILTERS; filter < 3 * FILTERS; filter++) {
			const answer =
				(table[first + FILTERS + filter] as number) + (table[middle + 2 * FILTERS + filter] as number) + (table[last + 3 * FILTERS + filter] as number);
			if (answer > (best[filter] as number)) {
				best[filter] = answer;
				if (where) where[filter] = at;
			}
		}
		first = middle;
		middle = last;
	}
}
