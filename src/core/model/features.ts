import type { TokenBuffer } from "../text/tokens.js";

/** Features are hashed into 2^BITS buckets (measurements: 2^18 buckets keep the table in the cache and collisions rare). */
export const BITS = 18;
const SHIFT = 32 - BITS;

/** Kinds of features are told apart by a seed, so that a word and a pair never meet on purpose. */
const PAIR = 0x51ed270b;
const TRIPLE = 0x2545f491;
const SKIP = 0x7feb352d;
const CHARS = 0x3c6ef372;
const CONTEXT = 0x1b873593;
const EDGE = 0x5f;

/** Bucket numbers of one text (or one window of it), reused from turn to turn. */
export class FeatureBuffer {
	count = 0;
	bucket = new Int32Array(4096);
	/** Tokens whose letters count too. They are kept apart because a word's letters always say the same (`LinearReader`). */
	spelled = new Int32Array(512);
	spelledCount = 0;
	/** The tokens that `spelled` numbers. */
	tokens: TokenBuffer | undefined;
	/** What the convolution reads: hashes of facts of rules and session, then of the words. */
	words = new Int32Array(512);
	wordCount = 0;

	clear(): void {
		this.count = 0;
		this.spelledCount = 0;
		this.wordCount = 0;
	}

	addWord(hash: number): void {
		if (this.wordCount === this.words.length) this.words = doubled(this.words);
		this.words[this.wordCount++] = hash;
	}

	add(hash: number): void {
		if (this.count === this.bucket.length) this.bucket = doubled(this.bucket);
		this.bucket[this.count++] = mix(hash) >>> SHIFT;
	}

	addSpelled(at: number): void {
		if (this.spelledCount === this.spelled.length) this.spelled = doubled(this.spelled);
		this.spelled[this.spelledCount++] = at;
	}

	/** Adds the letters of the spelled tokens to the other buckets, for training. */
	spellOut(): void {
		for (let index = 0; index < this.spelledCount; index++) addLetters(this, this.tokens as TokenBuffer, this.spelled[index] as number);
		this.spelledCount = 0;
	}
}

function doubled(list: Int32Array): Int32Array<ArrayBuffer> {
	const larger = new Int32Array(list.length * 2);
	larger.set(list);
	return larger;
}

/** Finaliser of MurmurHash3: spreads a 32-bit hash over all its bits. */
function mix(hash: number): number {
	let mixed = hash ^ (hash >>> 16);
	mixed = Math.imul(mixed, 0x85ebca6b);
	mixed ^= mixed >>> 13;
	mixed = Math.imul(mixed, 0xc2b2ae35);
	return mixed ^ (mixed >>> 16);
}

/** Words, pairs, triples and pairs with one word between, and 3-4 letter sequences inside words (5 letters cost a third more time and gave nothing: docs/accuracy.md), of tokens [from, until). */
export function addTextFeatures(features: FeatureBuffer, tokens: TokenBuffer, from: number, until: number): void {
	const { hash } = tokens;
	features.tokens = tokens;
	let before = EDGE;
	let beforeThat = 0;
	for (let at = from; at < until; at++) {
		const word = hash[at] as number;
		features.add(word);
		features.add(Math.imul(before, PAIR) ^ word);
		if (beforeThat !== 0) {
			features.add(Math.imul(Math.imul(beforeThat, TRIPLE) ^ before, PAIR) ^ word);
			features.add(Math.imul(beforeThat, SKIP) ^ word);
		}
		beforeThat = before;
		before = word;
		if (hasLetters(tokens, at)) features.addSpelled(at);
	}
	features.add(Math.imul(before, PAIR) ^ EDGE);
}

/** True for a word of at least three letters; a spelling that stands for several words counts once. */
function hasLetters(tokens: TokenBuffer, at: number): boolean {
	if (at > 0 && tokens.start[at] === tokens.start[at - 1]) return false;
	return (tokens.charEnd[at] as number) - (tokens.charStart[at] as number) >= 3;
}

/** 3- and 4-letter sequences of a word with its edges marked. */
export function addLetters(features: FeatureBuffer, tokens: TokenBuffer, at: number): void {
	const { chars } = tokens;
	const start = tokens.charStart[at] as number;
	const end = tokens.charEnd[at] as number;
	for (let first = start - 1; first < end - 1; first++) {
		let hash: number = CHARS;
		const last = Math.min(first + 4, end + 1);
		for (let place = first; place < last; place++) {
			const code = place < start || place >= end ? EDGE : (chars[place] as number);
			hash = Math.imul(hash ^ code, 0x01000193);
			if (place - first >= 2) features.add(hash + place - first);
		}
	}
}

/** A named fact about turn or session, e.g. a rule that matched or a question that was asked. */
export function addNamedFeature(features: FeatureBuffer, nameHash: number, value = 0): void {
	features.add(Math.imul(nameHash ^ CONTEXT, PAIR) + value);
}

/** Words and pairs of a short turn, read together with what was asked or said before. */
export function addWordsInContext(features: FeatureBuffer, tokens: TokenBuffer, contextHash: number): void {
	const seed = contextHash ^ CONTEXT;
	let before: number = EDGE;
	for (let at = 0; at < tokens.count; at++) {
		const word = tokens.hash[at] as number;
		features.add(Math.imul(word ^ seed, TRIPLE));
		features.add(Math.imul(Math.imul(before, PAIR) ^ word ^ seed, TRIPLE));
		before = word;
	}
	features.add(Math.imul(Math.imul(before, PAIR) ^ EDGE ^ seed, TRIPLE));
}
