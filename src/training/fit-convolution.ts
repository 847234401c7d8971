import { type Before, FEW_WORDS, HEARD_ROLES, LAST_WORDS } from "../core/model/before.js";
import { type Convolution, FILTERS, HIDDEN, POOLED, PROJECTED, pool, project } from "../core/model/convolution.js";
import { HEADS, LEVEL_HEADS } from "../core/model/heads.js";
import { sigmoid } from "../core/model/model.js";
import { DIMENSIONS, WordVectors } from "../core/model/word-vectors.js";
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

export const DEFAULT_CONVOLUTION: ConvolutionOptions = { epochs: 8, rate: 3e-3, vectorRate: 2e-3, dropFilter: 0.4, dropWord: 0.1 };

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

/** Adam (Kingma and Ba 2015) over a flat array; a row that got no gradient is left alone. */
class Adam {
	private readonly mean: Float32Array;
	private readonly square: Float32Array;
	private readonly steps: Int32Array;

	constructor(
		private readonly values: Float32Array,
		private readonly rowLength: number,
	) {
		this.mean = new Float32Array(values.length);
		this.square = new Float32Array(values.length);
		this.steps = new Int32Array(values.length / rowLength);
	}

	/** One step of a row against `gradient` (from `offset`), which is set back to 0. */
	step(row: number, gradient: Float32Array, offset: number, rate: number): void {
		const steps = (this.steps[row] as number) + 1;
		this.steps[row] = steps;
		const scale = (rate * Math.sqrt(1 - 0.999 ** steps)) / (1 - 0.9 ** steps);
		const from = row * this.rowLength;
		for (let index = 0; index < this.rowLength; index++) {
			const g = gradient[offset + index] as number;
			gradient[offset + index] = 0;
			const at = from + index;
			const mean = 0.9 * (this.mean[at] as number) + 0.1 * g;
			const square = 0.999 * (this.square[at] as number) + 0.001 * g * g;
			this.mean[at] = mean;
			this.square[at] = square;
			this.values[at] = (this.values[at] as number) - (scale * mean) / (Math.sqrt(square) + 1e-8);
		}
	}
}

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

/** Writes the mean of the vectors of some rows, smoothed as the reader does it. */
function averageOf(rows: Int32Array, values: Float32Array, out: Float32Array): void {
	out.fill(0);
	for (const row of rows) for (let index = 0; index < DIMENSIONS; index++) out[index] = (out[index] as number) + (values[row * DIMENSIONS + index] as number);
	for (let index = 0; index < DIMENSIONS; index++) out[index] = (out[index] as number) / (rows.length + FEW_WORDS);
}

function product(weights: Float32Array, from: number, vector: Float32Array): number {
	let sum = 0;
	for (let index = 0; index < DIMENSIONS; index++) sum += (weights[from + index] as number) * (vector[index] as number);
	return sum;
}

/** Trains the convolution; deterministic: the same rows in the same order give the same numbers. `onEpoch` is told of progress. */
export function fitConvolution(
	rows: readonly Sequence[],
	start: WordVectors,
	options: ConvolutionOptions,
	onEpoch?: (epoch: number, loss: number) => void,
): Convolution {
	const random = createRandom();
	const { vectors, values } = extend(start, rows, random);
	const uniform = (length: number, bound: number): Float32Array => Float32Array.from({ length }, () => (random() * 2 - 1) * bound);
	const filters = uniform(PROJECTED * DIMENSIONS, 1 / Math.sqrt(2 * DIMENSIONS));
	const net: Convolution = {
		vectors,
		filters,
		filterBias: uniform(POOLED, 0.05),
		output: uniform(HEADS * POOLED, 1 / Math.sqrt(POOLED)),
		outputBias: new Float32Array(HEADS).fill(-2),
		hidden: uniform(POOLED * HIDDEN, 1 / Math.sqrt(POOLED)),
		hiddenBias: new Float32Array(HIDDEN),
		hiddenOutput: uniform(HIDDEN * HEADS, 1 / Math.sqrt(HIDDEN)),
		before: uniform(HEARD_ROLES.length * HEADS * DIMENSIONS, 0.1 / Math.sqrt(DIMENSIONS)),
	};
	const adam = {
		vectors: new Adam(values, DIMENSIONS),
		filters: new Adam(filters, DIMENSIONS),
		filterBias: new Adam(net.filterBias, POOLED),
		output: new Adam(net.output, POOLED),
		outputBias: new Adam(net.outputBias, HEADS),
		hidden: new Adam(net.hidden, HIDDEN),
		hiddenBias: new Adam(net.hiddenBias, HIDDEN),
		hiddenOutput: new Adam(net.hiddenOutput, HEADS),
		before: new Adam(net.before, DIMENSIONS),
	};
	const found = rows.map(({ words }) => Int32Array.from(words.subarray(0, LONGEST), (word) => vectors.rowOf(word)));
	const said = rows.map(({ before }) => HEARD_ROLES.map((role) => Int32Array.from(before[role]?.subarray(-LAST_WORDS) ?? [], (word) => vectors.rowOf(word))));
	const slotOf = new Int32Array(vectors.hashes.length).fill(-1);
	let table = new Float32Array(512 * PROJECTED);
	let vectorGradient = new Float32Array(512 * DIMENSIONS);
	const filterGradient = new Float32Array(filters.length);
	const biasGradient = new Float32Array(POOLED);
	const outputGradient = new Float32Array(HEADS * POOLED);
	const outputBiasGradient = new Float32Array(HEADS);
	const hiddenGradient = new Float32Array(net.hidden.length);
	const hiddenBiasGradient = new Float32Array(HIDDEN);
	const hiddenOutputGradient = new Float32Array(net.hiddenOutput.length);
	const units = new Float32Array(HIDDEN);
	const unitError = new Float32Array(HIDDEN);
	const beforeGradient = new Float32Array(net.before.length);
	const means = HEARD_ROLES.map(() => new Float32Array(DIMENSIONS));
	const meanGradient = new Float32Array(DIMENSIONS);
	const best = new Float32Array(POOLED);
	const where = new Int16Array(POOLED);
	const kept = new Uint8Array(POOLED);
	const places = new Int32Array(LONGEST);
	const z = new Float64Array(HEADS);
	const error = new Float64Array(HEADS);
	const lastLoss = new Float32Array(rows.length).fill(EASY);
	const keepScale = 1 / (1 - options.dropFilter);
	for (let epoch = 0; epoch < options.epochs; epoch++) {
		const fall = 1 - (0.9 * epoch) / options.epochs;
		const order = rows.map((_, at) => at).filter((at) => epoch < 2 || (lastLoss[at] as number) >= EASY || (at + epoch) % 3 === 0);
		shuffle(order, random);
		let loss = 0;
		for (let from = 0; from < order.length; from += BATCH) {
			const batch = order.slice(from, from + BATCH);
			const unique: number[] = [];
			for (const at of batch)
				for (const list of [found[at] as Int32Array, ...(said[at] as Int32Array[])])
					for (const row of list)
						if (slotOf[row] === -1) {
							unique.push(row);
							slotOf[row] = unique.length;
						}
			if ((unique.length + 1) * PROJECTED > table.length) {
				table = new Float32Array((unique.length + 1) * 2 * PROJECTED);
				vectorGradient = new Float32Array((unique.length + 1) * 2 * DIMENSIONS);
			}
			// Slot 0 is the place where nothing stands (see `pool`).
			unique.forEach((row, at) => void project(filters, values, row * DIMENSIONS, table, (at + 1) * PROJECTED));
			for (const at of batch) {
				const words = found[at] as Int32Array;
				const turns = said[at] as Int32Array[];
				const { targets, weight } = rows[at] as Sequence;
				let count = 0;
				for (const row of words) if (random() >= options.dropWord) places[count++] = (slotOf[row] as number) * PROJECTED;
				if (count === 0) continue;
				pool(table, places, count, best, where);
				for (let filter = 0; filter < POOLED; filter++) {
					const active = (best[filter] as number) + (net.filterBias[filter] as number);
					const isKept = active > 0 && random() >= options.dropFilter;
					kept[filter] = isKept ? 1 : 0;
					best[filter] = isKept ? active * keepScale : 0;
				}
				let rowLoss = 0;
				for (let head = 0; head < HEADS; head++) {
					let sum = net.outputBias[head] as number;
					const outputs = head * POOLED;
					for (let filter = 0; filter < POOLED; filter++) sum += (best[filter] as number) * (net.output[outputs + filter] as number);
					z[head] = sum;
				}
				units.set(net.hiddenBias);
				for (let filter = 0; filter < POOLED; filter++) {
					const value = best[filter] as number;
					if (value === 0) continue;
					for (let unit = 0, weight = filter * HIDDEN; unit < HIDDEN; unit++, weight++)
						units[unit] = (units[unit] as number) + value * (net.hidden[weight] as number);
				}
				for (let unit = 0; unit < HIDDEN; unit++) {
					const isKept = (units[unit] as number) > 0 && random() >= options.dropFilter;
					units[unit] = isKept ? (units[unit] as number) * keepScale : 0;
					if (!isKept) continue;
					for (let head = 0, weight = unit * HEADS; head < HEADS; head++, weight++)
						z[head] = (z[head] as number) + (units[unit] as number) * (net.hiddenOutput[weight] as number);
				}
				turns.forEach((list, role) => {
					if (list.length === 0) return;
					const average = means[role] as Float32Array;
					averageOf(list, values, average);
					for (let index = 0; index < DIMENSIONS; index++) average[index] = random() < options.dropFilter ? 0 : (average[index] as number) * keepScale;
					for (let head = 0; head < HEADS; head++) z[head] = (z[head] as number) + product(net.before, (role * HEADS + head) * DIMENSIONS, average);
				});
				for (let head = 0; head < HEADS; head++) {
					const p = sigmoid(z[head] as number);
					const wanted = targets[head] as number;
					const strength = weight * (head < LEVEL_HEADS ? LEVEL_WEIGHT : 1);
					error[head] = ((p - wanted) * strength) / BATCH;
					rowLoss -= strength * (wanted * Math.log(p + 1e-9) + (1 - wanted) * Math.log(1 - p + 1e-9));
					outputBiasGradient[head] = (outputBiasGradient[head] as number) + (error[head] as number);
				}
				lastLoss[at] = rowLoss;
				loss += rowLoss;
				for (let unit = 0; unit < HIDDEN; unit++) {
					const value = units[unit] as number;
					let back = 0;
					if (value > 0) {
						for (let head = 0, weight = unit * HEADS; head < HEADS; head++, weight++) {
							back += (error[head] as number) * (net.hiddenOutput[weight] as number);
							hiddenOutputGradient[weight] = (hiddenOutputGradient[weight] as number) + (error[head] as number) * value;
						}
						back *= keepScale;
						hiddenBiasGradient[unit] = (hiddenBiasGradient[unit] as number) + back;
					}
					unitError[unit] = back;
				}
				turns.forEach((list, role) => {
					if (list.length === 0) return;
					const average = means[role] as Float32Array;
					meanGradient.fill(0);
					for (let head = 0; head < HEADS; head++) {
						const weights = (role * HEADS + head) * DIMENSIONS;
						for (let index = 0; index < DIMENSIONS; index++) {
							beforeGradient[weights + index] = (beforeGradient[weights + index] as number) + (error[head] as number) * (average[index] as number);
							meanGradient[index] = (meanGradient[index] as number) + (error[head] as number) * (net.before[weights + index] as number);
						}
					}
					for (let index = 0; index < DIMENSIONS; index++)
						meanGradient[index] = average[index] === 0 ? 0 : ((meanGradient[index] as number) * keepScale) / (list.length + FEW_WORDS);
					for (const row of list) {
						const gradient = (slotOf[row] as number) * DIMENSIONS;
						for (let index = 0; index < DIMENSIONS; index++)
							vectorGradient[gradient + index] = (vectorGradient[gradient + index] as number) + (meanGradient[index] as number);
					}
				});
				for (let filter = 0; filter < POOLED; filter++) {
					if (kept[filter] === 0) continue;
					const value = best[filter] as number;
					let back = 0;
					for (let head = 0; head < HEADS; head++) {
						const place = head * POOLED + filter;
						back += (error[head] as number) * (net.output[place] as number);
						outputGradient[place] = (outputGradient[place] as number) + (error[head] as number) * value;
					}
					for (let unit = 0, weight = filter * HIDDEN; unit < HIDDEN; unit++, weight++) {
						const wrong = unitError[unit] as number;
						if (wrong === 0) continue;
						back += wrong * (net.hidden[weight] as number);
						hiddenGradient[weight] = (hiddenGradient[weight] as number) + wrong * value;
					}
					back *= keepScale;
					if (Math.abs(back) < 1e-9) continue;
					biasGradient[filter] = (biasGradient[filter] as number) + back;
					const width = Math.floor(filter / FILTERS);
					const end = where[filter] as number;
					for (let part = 0; part <= width; part++) {
						const place = end - width + part;
						if (place < 0 || place >= count) continue;
						const slot = (places[place] as number) / PROJECTED;
						const weights = ((SLICE[width as 0 | 1 | 2] + part) * FILTERS + (filter % FILTERS)) * DIMENSIONS;
						const word = (unique[slot - 1] as number) * DIMENSIONS;
						const gradient = slot * DIMENSIONS;
						for (let index = 0; index < DIMENSIONS; index++) {
							filterGradient[weights + index] = (filterGradient[weights + index] as number) + back * (values[word + index] as number);
							vectorGradient[gradient + index] = (vectorGradient[gradient + index] as number) + back * (filters[weights + index] as number);
						}
					}
				}
			}
			for (let filter = 0; filter < PROJECTED; filter++) adam.filters.step(filter, filterGradient, filter * DIMENSIONS, options.rate * fall);
			adam.filterBias.step(0, biasGradient, 0, options.rate * fall);
			for (let head = 0; head < HEADS; head++) adam.output.step(head, outputGradient, head * POOLED, options.rate * fall);
			adam.outputBias.step(0, outputBiasGradient, 0, options.rate * fall);
			for (let filter = 0; filter < POOLED; filter++) adam.hidden.step(filter, hiddenGradient, filter * HIDDEN, options.rate * fall);
			adam.hiddenBias.step(0, hiddenBiasGradient, 0, options.rate * fall);
			for (let unit = 0; unit < HIDDEN; unit++) adam.hiddenOutput.step(unit, hiddenOutputGradient, unit * HEADS, options.rate * fall);
			for (let row = 0; row < net.before.length / DIMENSIONS; row++) adam.before.step(row, beforeGradient, row * DIMENSIONS, options.rate * fall);
			unique.forEach((row, at) => {
				adam.vectors.step(row, vectorGradient, (at + 1) * DIMENSIONS, options.vectorRate * fall);
				slotOf[row] = -1;
			});
		}
		onEpoch?.(epoch, loss / order.length);
	}
	return net;
}
