import { type Before, FEW_WORDS, HEARD_ROLES, LAST_WORDS } from "./before.js";
import { type Convolution, HEARD, HIDDEN, POOLED } from "./convolution.js";
import { CONVOLUTION_WASM } from "./convolution-wasm.js";
import { HEADS, LEVEL_HEADS } from "./heads.js";
import { growTo, instantiate, type Place } from "./wasm.js";
import { DIMENSIONS } from "./word-vectors.js";

/** What `convolution.assembly.ts` exports: places in its memory (bytes) and its loops. */
interface Loops {
	memory: WebAssembly.Memory;
	WORDS: Place;
	ANSWERS: Place;
	HEARD: Place;
	FILTER_BIAS: Place;
	OUTPUT: Place;
	OUTPUT_UNIT: Place;
	OUTPUT_BIAS: Place;
	HIDDEN_OUTPUT: Place;
	VECTOR: Place;
	FILTER_WEIGHTS: Place;
	BEFORE_WEIGHTS: Place;
	TABLE: Place;
	ROW_BYTES: Place;
	project(to: number): void;
	begin(): void;
	pool(count: number): void;
	finish(): void;
	hear(count: number, role: number): void;
}

/** Words that the loops pool at a time, and heads filled up to whole vector registers (convolution.assembly.ts). */
const MOST_WORDS = 512;
const PADDED_HEADS = 16;
const PADDED_LEVELS = 4;
/** What one step of a projection is worth (STEP there), and one of a filter's answer when it is weighed (half as many steps). */
const STEP = 1 / 2048;
const ANSWER_UNIT = 2 * STEP;
/** The lanes in which the loops sum, two neighbours in each: that of a filter is floor(filter / 2) % SUM_LANES. */
const SUM_LANES = 4;
/** Most that the weights of an output are in one lane, in their steps: with their rounding, times the largest answer (16384), they stay below 2^31. */
const MOST_WEIGHT = 131_000;

/** Reads texts with a convolution. What the filters make of a word is worked out when the word is first met: after that a text costs additions only. */
export class ConvolutionReader {
	/** Address of each row's projections, 0 for words that were not met; the vocabulary of one data set is small beside the model's. */
	private readonly addressOf: Int32Array;
	private readonly loops = instantiate<Loops>(CONVOLUTION_WASM);
	/** Views of the loops' memory, made anew when it grows. */
	private words!: Int32Array;
	private answers!: Float32Array;
	private heard!: Float32Array;
	private vector!: Float32Array;
	private free: number;
	private readonly rowBytes: number;

	constructor(private readonly convolution: Convolution) {
		const { filters, filterBias, output, outputBias, hidden, hiddenBias, hiddenOutput, before, hiddenBefore, vectors } = convolution;
		this.addressOf = new Int32Array(vectors.hashes.length);
		this.free = this.loops.TABLE.value;
		this.rowBytes = this.loops.ROW_BYTES.value;
		this.makeRoom(this.free + 1024 * this.rowBytes);
		this.write(this.loops.FILTER_WEIGHTS, filters);
		new Int16Array(this.loops.memory.buffer, this.loops.FILTER_BIAS.value, POOLED).set(filterBias.map((bias) => Math.round(bias / STEP)));
		this.write(this.loops.OUTPUT_BIAS, outputBias);
		this.write(this.loops.OUTPUT_BIAS, hiddenBias, PADDED_HEADS);
		for (let head = 0; head < HEADS; head++) this.writeOutput(head, output.subarray(head * POOLED, (head + 1) * POOLED));
		for (let unit = 0; unit < HIDDEN; unit++)
			this.writeOutput(
				PADDED_HEADS + unit,
				Float32Array.from({ length: POOLED }, (_, filter) => hidden[filter * HIDDEN + unit] as number),
			);
		for (let unit = 0; unit < HIDDEN; unit++)
			this.write(this.loops.HIDDEN_OUTPUT, hiddenOutput.subarray(unit * LEVEL_HEADS, (unit + 1) * LEVEL_HEADS), unit * PADDED_LEVELS);
		HEARD_ROLES.forEach((_, role) => {
			const ofRole = (weights: Float32Array): Float32Array =>
				weights.subarray((role * weights.length) / HEARD_ROLES.length, ((role + 1) * weights.length) / HEARD_ROLES.length);
			const from = role * (PADDED_HEADS + HIDDEN) * DIMENSIONS;
			this.write(this.loops.BEFORE_WEIGHTS, ofRole(before), from);
			this.write(this.loops.BEFORE_WEIGHTS, ofRole(hiddenBefore), from + PADDED_HEADS * DIMENSIONS);
		});
	}

	/**
	 * Adds the outputs of all heads for the first `count` of `words` (hashes) to `z`; no words are read as one unknown word.
	 * @param before what `hear` made of the turns before
	 */
	addTo(z: Float64Array, words: Int32Array, count: number, before: Before<readonly number[]>): void {
		const { loops } = this;
		this.remember(before);
		const length = Math.max(1, count);
		loops.begin();
		for (let from = 0; from < length; from += MOST_WORDS) {
			const until = Math.min(length, from + MOST_WORDS);
			for (let at = from; at < until; at++) this.place(at < count ? (words[at] as number) : undefined, at - from);
			loops.pool(until - from);
		}
		loops.finish();
		for (let head = 0; head < HEADS; head++) z[head] = (z[head] as number) + (this.answers[head] as number);
	}

	/** Sums what the turns before add to heads and hidden units. */
	private remember(before: Before<readonly number[]>): void {
		this.heard.fill(0);
		for (const role of HEARD_ROLES) {
			const sums = before[role];
			if (sums === undefined) continue;
			for (let at = 0; at < sums.length; at++) {
				const place = placeOf(at);
				this.heard[place] = (this.heard[place] as number) + (sums[at] as number);
			}
		}
	}

	/** What a turn of a role (a place of HEARD_ROLES) adds to heads and hidden units (HEARD) of the next turn: the weights of its words, by hash, averaged; to two places. */
	hear(words: Int32Array, count: number, role: number): number[] {
		const from = Math.max(0, count - LAST_WORDS);
		for (let at = from; at < count; at++) this.place(words[at] as number, at - from);
		this.loops.hear(count - from, role);
		const sums = new Array<number>(HEARD);
		// Sessions are kept as text, which must give back the same number: two places, and no -0.
		for (let at = 0; at < HEARD; at++) sums[at] = Math.round((100 * (this.answers[placeOf(at)] as number)) / (count - from + FEW_WORDS)) / 100 || 0;
		return sums;
	}

	/** Writes where a word's row begins (undefined: no word at all) into a place of WORDS. */
	private place(word: number | undefined, place: number): void {
		const row = word === undefined ? 0 : this.convolution.vectors.rowOf(word);
		// First the address, then the view: meeting a word may make the view anew.
		const address = (this.addressOf[row] as number) || this.meet(row);
		this.words[place] = address;
	}

	/** Works out the row of a word that was not met before. */
	private meet(row: number): number {
		const address = this.free;
		this.free += this.rowBytes;
		if (this.free > this.loops.memory.buffer.byteLength) this.makeRoom(2 * this.free);
		this.convolution.vectors.copyTo(row, this.vector);
		this.loops.project(address);
		this.addressOf[row] = address;
		return address;
	}

	private makeRoom(bytes: number): void {
		const { memory, WORDS, ANSWERS, HEARD, VECTOR } = this.loops;
		growTo(memory, bytes);
		this.words = new Int32Array(memory.buffer, WORDS.value, MOST_WORDS);
		this.answers = new Float32Array(memory.buffer, ANSWERS.value, PADDED_HEADS + HIDDEN);
		this.heard = new Float32Array(memory.buffer, HEARD.value, PADDED_HEADS + HIDDEN);
		this.vector = new Float32Array(memory.buffer, VECTOR.value);
	}

	/** Writes the weights of one output in the largest 16-bit steps that MOST_WEIGHT allows. */
	private writeOutput(place: number, weights: Float32Array): void {
		const { memory, OUTPUT, OUTPUT_UNIT } = this.loops;
		const sizes = weights.map(Math.abs);
		const inLane = (lane: number): number => sizes.reduce((sum, size, filter) => ((filter >> 1) % SUM_LANES === lane ? sum + size : sum), 0);
		const most = Math.max(...Array.from({ length: SUM_LANES }, (_, lane) => inLane(lane)));
		const unit = Math.max(most / MOST_WEIGHT, Math.max(...sizes) / 32767) || 1;
		new Int16Array(memory.buffer, OUTPUT.value + 2 * POOLED * place, POOLED).set(weights.map((weight) => Math.round(weight / unit)));
		this.write(OUTPUT_UNIT, Float32Array.of(unit * ANSWER_UNIT), place);
	}

	/** Writes values from the `from`-th number behind a place on; what is not written there stays 0. */
	private write(place: Place, values: Float32Array, from = 0): void {
		new Float32Array(this.loops.memory.buffer, place.value + 4 * from, values.length).set(values);
	}
}

/** Where a head or hidden unit stands among the outputs, of which the heads are filled up. */
function placeOf(heard: number): number {
	return heard < HEADS ? heard : heard - HEADS + PADDED_HEADS;
}
