import { type Before, HEARD_ROLES, LAST_WORDS } from "../core/model/before.js";
import { type Convolution, FILTERS, POOLED, PROJECTED, pool } from "../core/model/convolution.js";
import { HEADS, LEVEL_HEADS } from "../core/model/heads.js";
import { sigmoid } from "../core/model/model.js";
import { DIMENSIONS, WordVectors } from "../core/model/word-vectors.js";
import { Trained } from "./adam.js";
import { type Dropout, HeardBefore } from "./heard-before.js";
import { HiddenUnits } from "./hidden-units.js";
import { Projector } from "./projector.js";
import { createRandom, shuffle } from "./random.js";

/** A row as the convolution reads it: hashes of its words (facts of the session first), and what each head should answer. */
export interface Sequence {
	words: Int32Array;
	/** What was said before, as hashes of words. */
	before: Before<Int32Array>;
	targets: Float32Array;
	weight: number;
}

export interface ConvolutionOptions {
	epochs: number;
	/** Adam's step for filters and heads, and for the word vectors; both fall to a tenth over the epochs. */
	rate: number;
	vectorRate: number;
	/** Chance that a filter, and that a word, is left out of a row (dropout). */
	dropFilter: number;
	dropWord: number;
}

export const DEFAULT_CONVOLUTION: ConvolutionOptions = { epochs: 6, rate: 3e-3, vectorRate: 2e-3, dropFilter: 0.4, dropWord: 0.1 };

const BATCH = 64;
/** Words beyond this many of a row are not read in training. */
export const LONGEST = 120;
/** The level heads count more than the signals: they decide. */
const LEVEL_WEIGHT = 1.5;
/** A word of the rows that has no vector gets its own when this many rows hold it. */
const LEAST_ROWS = 5;
/** A row whose loss was below this is easy and is read in every third pass only, after the first two: most ordinary talk is. */
const EASY = 0.05;
/** First slice of each width, and its number of places. */
const SLICE = [0, 1, 3] as const;

/** The given vectors and, behind them, small random ones for the words of the rows that have none. */
function extend(vectors: WordVectors, rows: readonly Sequence[], random: () => number): { vectors: WordVectors; values: Float32Array } {
	const counts = new Map<number, number>();
	for (const { words } of rows) for (const word of new Set(words)) if (vectors.rowOf(word) === 0) counts.set(word, (counts.get(word) ?? 0) + 1);
	const fresh = [...counts].filter(([, count]) => count >= LEAST_ROWS).map(([word]) => word);
	const hashes = new Int32Array(vectors.hashes.length + fresh.length);
	hashes.set(vectors.hashes);
	hashes.set(fresh, vectors.hashes.length);
	const values = new Float32Array(hashes.length * DIMENSIONS);
	for (let row = 0; row < vectors.hashes.length; row++) vectors.copyTo(row, values, row * DIMENSIONS);
	for (let at = vectors.hashes.length * DIMENSIONS; at < values.length; at++) values[at] = (random() - 0.5) * 0.6;
	return { vectors: new WordVectors(hashes, values), values };
}

/** Trains the convolution; deterministic: the same rows in the same order give the same numbers. `onEpoch` is told of progress. */
export function fitConvolution(
	rows: readonly Sequence[],
	start: WordVectors,
	options: ConvolutionOptions,
	onEpoch?: (epoch: number, loss: number) => void,
): Convolution {
	const training = new Training(rows, start, options);
	for (let epoch = 0; epoch < options.epochs; epoch++) {
		const loss = training.pass(epoch);
		onEpoch?.(epoch, loss);
	}
	return training.net;
}

/** Distinct words that a batch of rows can hold. */
const MOST_UNIQUE = BATCH * (LONGEST + HEARD_ROLES.length * LAST_WORDS);

/** A convolution in training. A row is read (forward), then each part learns from its errors (backward); a batch ends with a step of all parts. */
class Training {
	readonly net: Convolution;
	private readonly random = createRandom();
	private readonly vectors: Trained;
	private readonly filters: Trained;
	private readonly filterBias: Trained;
	private readonly output: Trained;
	private readonly outputBias: Trained;
	private readonly hidden: HiddenUnits;
	private readonly before: HeardBefore;
	/** Rows of the vectors of each row's words, and of what each role said before. */
	private readonly found: Int32Array[];
	private readonly said: Int32Array[][];
	private readonly lastLoss: Float32Array;
	/** What is kept of a unit that is not dropped, so that the sum stays the same on average. */
	private readonly keepScale: number;
	private readonly dropout: Dropout;

	/** The batch: rows of vectors in it, the place of each row among them (from 1; -1: not in it), and what the filters make of them. */
	private unique: number[] = [];
	private readonly slotOf: Int32Array;
	private readonly projector = new Projector();
	private table: Float32Array = new Float32Array(0);

	/** The row at hand: where its words stand in the table, each filter's strongest answer and place, outputs and errors. */
	private readonly places = new Int32Array(LONGEST);
	private count = 0;
	private readonly best = new Float32Array(POOLED);
	private readonly where = new Int16Array(POOLED);
	private readonly z = new Float64Array(HEADS);
	private readonly errors = new Float64Array(HEADS);

	constructor(
		private readonly rows: readonly Sequence[],
		start: WordVectors,
		private readonly options: ConvolutionOptions,
	) {
		const { vectors, values } = extend(start, rows, this.random);
		const uniform = (length: number, bound: number): Float32Array => Float32Array.from({ length }, () => (this.random() * 2 - 1) * bound);
		this.vectors = new Trained(values, DIMENSIONS, (MOST_UNIQUE + 1) * DIMENSIONS);
		this.filters = new Trained(uniform(PROJECTED * DIMENSIONS, 1 / Math.sqrt(2 * DIMENSIONS)), DIMENSIONS);
		this.filterBias = new Trained(uniform(POOLED, 0.05), POOLED);
		this.output = new Trained(uniform(HEADS * POOLED, 1 / Math.sqrt(POOLED)), POOLED);
		this.outputBias = new Trained(new Float32Array(HEADS).fill(-2), HEADS);
		this.hidden = new HiddenUnits(uniform);
		this.before = new HeardBefore(uniform);
		this.net = {
			vectors,
			filters: this.filters.values,
			filterBias: this.filterBias.values,
			output: this.output.values,
			outputBias: this.outputBias.values,
			hidden: this.hidden.weights.values,
			hiddenBias: this.hidden.bias.values,
			hiddenOutput: this.hidden.outputs.values,
			before: this.before.heads.values,
			hiddenBefore: this.before.units.values,
		};
		this.found = rows.map(({ words }) => Int32Array.from(words.subarray(0, LONGEST), (word) => vectors.rowOf(word)));
		this.said = rows.map(({ before }) => HEARD_ROLES.map((role) => Int32Array.from(before[role]?.subarray(-LAST_WORDS) ?? [], (word) => vectors.rowOf(word))));
		this.slotOf = new Int32Array(vectors.hashes.length).fill(-1);
		this.lastLoss = new Float32Array(rows.length).fill(EASY);
		this.keepScale = 1 / (1 - options.dropFilter);
		this.dropout = { chance: options.dropFilter, keepScale: this.keepScale, random: this.random };
	}

	/** One pass over the rows; returns their mean loss. */
	pass(epoch: number): number {
		const fall = 1 - (0.9 * epoch) / this.options.epochs;
		const order = this.rows.map((_, at) => at).filter((at) => epoch < 2 || (this.lastLoss[at] as number) >= EASY || (at + epoch) % 3 === 0);
		shuffle(order, this.random);
		let loss = 0;
		for (let from = 0; from < order.length; from += BATCH) {
			const batch = order.slice(from, from + BATCH);
			this.meet(batch);
			for (const at of batch) loss += this.learn(at);
			this.step(fall);
		}
		return loss / order.length;
	}

	/** Collects the words of a batch and works out what the filters make of them. */
	private meet(batch: readonly number[]): void {
		this.unique = [];
		for (const at of batch) {
			for (const list of [this.found[at] as Int32Array, ...(this.said[at] as Int32Array[])]) {
				for (const row of list) {
					if (this.slotOf[row] !== -1) continue;
					this.unique.push(row);
					this.slotOf[row] = this.unique.length;
				}
			}
		}
		this.table = this.projector.project(this.filters.values, this.vectors.values, this.unique);
	}

	/** Reads a row and adds to the gradients; returns its loss. */
	private learn(at: number): number {
		this.placeWords(this.found[at] as Int32Array);
		if (this.count === 0) return 0;
		pool(this.table, this.places, this.count, this.best, this.where);
		this.dropFilters();
		this.readHeads();
		const said = this.said[at] as Int32Array[];
		this.hidden.start();
		said.forEach((words, role) => {
			if (words.length > 0) this.before.read(words, role, this.vectors.values, { heads: this.z, units: this.hidden.sums }, this.dropout);
		});
		this.hidden.read(this.best, this.z, this.dropout);
		const loss = this.judge(this.rows[at] as Sequence);
		this.lastLoss[at] = loss;
		this.hidden.learn(this.errors, this.keepScale);
		const errors = { heads: this.errors, units: this.hidden.errors };
		const words = { slotOf: this.slotOf, gradient: this.vectors.gradient, keepScale: this.keepScale };
		said.forEach((rows, role) => {
			if (rows.length > 0) this.before.learn(rows, role, errors, words);
		});
		for (let filter = 0; filter < POOLED; filter++) if (this.best[filter] !== 0) this.learnFilter(filter);
		return loss;
	}

	/** Places of the row's words in the table, but for those that are dropped. Slot 0 is the place where nothing stands (see `pool`). */
	private placeWords(words: Int32Array): void {
		this.count = 0;
		for (const row of words) if (this.random() >= this.options.dropWord) this.places[this.count++] = (this.slotOf[row] as number) * PROJECTED;
	}

	private dropFilters(): void {
		const { best, keepScale } = this;
		const bias = this.filterBias.values;
		for (let filter = 0; filter < POOLED; filter++) {
			const active = (best[filter] as number) + (bias[filter] as number);
			const isKept = active > 0 && this.random() >= this.options.dropFilter;
			best[filter] = isKept ? active * keepScale : 0;
		}
	}

	private readHeads(): void {
		const { best, z } = this;
		const weights = this.output.values;
		for (let head = 0; head < HEADS; head++) {
			let sum = this.outputBias.values[head] as number;
			const outputs = head * POOLED;
			for (let filter = 0; filter < POOLED; filter++) sum += (best[filter] as number) * (weights[outputs + filter] as number);
			z[head] = sum;
		}
	}

	/** Errors of the heads; returns the loss. */
	private judge({ targets, weight }: Sequence): number {
		const { z, errors } = this;
		let loss = 0;
		for (let head = 0; head < HEADS; head++) {
			const p = sigmoid(z[head] as number);
			const wanted = targets[head] as number;
			const strength = weight * (head < LEVEL_HEADS ? LEVEL_WEIGHT : 1);
			const error = ((p - wanted) * strength) / BATCH;
			errors[head] = error;
			loss -= strength * (wanted * Math.log(p + 1e-9) + (1 - wanted) * Math.log(1 - p + 1e-9));
			this.outputBias.gradient[head] = (this.outputBias.gradient[head] as number) + error;
		}
		return loss;
	}

	private learnFilter(filter: number): void {
		const { errors } = this;
		const value = this.best[filter] as number;
		const outputs = this.output.values;
		const outputGradient = this.output.gradient;
		let back = 0;
		for (let head = 0, at = filter; head < HEADS; head++, at += POOLED) {
			back += (errors[head] as number) * (outputs[at] as number);
			outputGradient[at] = (outputGradient[at] as number) + (errors[head] as number) * value;
		}
		back = this.hidden.learnFilter(filter, value, back) * this.keepScale;
		if (Math.abs(back) < 1e-9) return;
		this.filterBias.gradient[filter] = (this.filterBias.gradient[filter] as number) + back;
		const width = Math.floor(filter / FILTERS) as 0 | 1 | 2;
		const end = this.where[filter] as number;
		for (let part = 0; part <= width; part++) {
			const place = end - width + part;
			if (place >= 0 && place < this.count) this.learnPlace(place, (SLICE[width] + part) * FILTERS + (filter % FILTERS), back);
		}
	}

	/** A filter's weights for one place and the vector of the word that stands there. */
	private learnPlace(place: number, slice: number, back: number): void {
		const { values, gradient } = this.vectors;
		const weights = this.filters.values;
		const weightGradient = this.filters.gradient;
		const slot = (this.places[place] as number) / PROJECTED;
		let word = (this.unique[slot - 1] as number) * DIMENSIONS;
		let weight = slice * DIMENSIONS;
		const until = (slot + 1) * DIMENSIONS;
		for (let at = slot * DIMENSIONS; at < until; at++, word++, weight++) {
			weightGradient[weight] = (weightGradient[weight] as number) + back * (values[word] as number);
			gradient[at] = (gradient[at] as number) + back * (weights[weight] as number);
		}
	}

	/** Ends a batch. */
	private step(fall: number): void {
		for (const part of [this.filters, this.filterBias, this.output, this.outputBias, this.hidden, this.before]) part.step(this.options.rate * fall);
		for (let at = 0; at < this.unique.length; at++) {
			const row = this.unique[at] as number;
			this.vectors.stepRow(row, at + 1, this.options.vectorRate * fall);
			this.slotOf[row] = -1;
		}
	}
}
