import { describe, expect, test } from "vitest";
import { addTextFeatures, BITS, FeatureBuffer } from "../../../src/core/model/features.js";
import { HEADS } from "../../../src/core/model/heads.js";
import { LinearReader } from "../../../src/core/model/linear-reader.js";
import { type Model, rankOf } from "../../../src/core/model/model.js";
import { createTokeniser } from "../../../src/core/text/tokenise.js";
import { TokenBuffer } from "../../../src/core/text/tokens.js";
import { Vocabulary } from "../../../src/core/text/vocabulary.js";

/** Numbers that look random and are always the same. */
function createNumbers(): (below: number) => number {
	let seed = 7;
	return (below) => {
		seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
		return (seed >>> 8) % below;
	};
}

describe("linear reader", () => {
	const number = createNumbers();
	const used = Uint32Array.from({ length: 2 ** BITS / 32 }, () => (number(2 ** 24) << 8) | number(256));
	const buckets = Array.from({ length: 2 ** BITS }, (_, bucket) => bucket).filter((bucket) => ((used[bucket >>> 5] as number) >>> (bucket & 31)) & 1);
	const rowOf = new Map(buckets.map((bucket, row) => [bucket, row]));
	const weights = Int8Array.from({ length: buckets.length * HEADS }, () => number(256) - 128);
	const floats = new Float32Array(HEADS).fill(1);
	const model = {
		bias: floats,
		scale: floats,
		slope: floats,
		offset: floats,
		used,
		rank: rankOf(used),
		weights,
	} as unknown as Model;
	const reader = new LinearReader(model);

	test.each([0, 1, 7, 255, 256, 257, 3000])("sums the weights of %i features head by head; buckets without weights count nothing", (count) => {
		const features = new FeatureBuffer();
		for (let index = 0; index < count; index++) features.add(number(2 ** 31));
		const expected = new Array<number>(HEADS).fill(0);
		for (const bucket of features.bucket.subarray(0, count)) {
			const row = rowOf.get(bucket);
			if (row === undefined) continue;
			for (let head = 0; head < HEADS; head++) expected[head] = (expected[head] as number) + (weights[row * HEADS + head] as number);
		}
		expect([...reader.sum(features)].slice(0, HEADS)).toEqual(expected);
	});

	test("the letters of words say the same from memory, however many words take each other's place there", () => {
		const tokeniser = createTokeniser(new Vocabulary());
		const tokens = new TokenBuffer();
		const word = (): string => Array.from({ length: 3 + number(9) }, () => "aeiourstn"[number(9)]).join("");
		const words = Array.from({ length: 9000 }, word);
		const read = (features: FeatureBuffer): number[] => {
			const out = new Float64Array(HEADS);
			reader.read(features, out);
			return [...out, ...reader.sum(features)];
		};
		for (let round = 0; round < 60; round++) {
			tokeniser.tokenise(Array.from({ length: number(700) }, () => words[number(words.length)]).join(" "), tokens);
			const features = new FeatureBuffer();
			addTextFeatures(features, tokens, 0, tokens.count);
			const remembered = read(features);
			features.spellOut();
			expect(remembered).toEqual(read(features));
		}
	});

	test("the extremes of many rows do not run into each other", () => {
		for (const extreme of [-128, 127]) {
			const all = new LinearReader({
				...model,
				weights: new Int8Array(weights.length).fill(extreme),
			});
			const features = new FeatureBuffer();
			features.count = 1000;
			features.bucket.fill(buckets[5] as number, 0, 1000);
			expect([...all.sum(features)].slice(0, HEADS)).toEqual(new Array(HEADS).fill(1000 * extreme));
		}
	});
});
