import { type Convolution, FILTERS, POOLED, PROJECTED, pool, project } from "../core/model/convolution.js";
import { HEADS, LEVEL_HEADS } from "../core/model/heads.js";
import { sigmoid } from "../core/model/model.js";
import { DIMENSIONS, WordVectors } from "../core/model/word-vectors.js";
import { createRandom, shuffle } from "./random.js";

/** A row as the convolution reads it: hashes of its words (facts of the session first), and what each head should answer. */
export interface Sequence {
	words: Int32Array;
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
	};
	const adam = {
		vectors: new Adam(values, DIMENSIONS),
		filters: new Adam(filters, DIMENSIONS),
		filterBias: new Adam(net.filterBias, POOLED),
		output: new Adam(net.output, POOLED),
		outputBias: new Adam(net.outputBias, HEADS),
	};
	const found = rows.map(({ words }) => Int32Array.from(words.subarray(0, LONGEST), (word) => vectors.rowOf(word)));
	const slotOf = new Int32Array(vectors.hashes.length).fill(-1);
	let table = new Float32Array(512 * PROJECTED);
	let vectorGradient = new Float32Array(512 * DIMENSIONS);
	const filterGradient = new Float32Array(filters.length);
	const biasGradient = new Float32Array(POOLED);
	const outputGradient = new Float32Array(HEADS * POOLED);
	const outputBiasGradient = new Float32Array(HEADS);
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
				for (const row of found[at] as Int32Array)
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
					const p = sigmoid(sum);
					const wanted = targets[head] as number;
					const strength = weight * (head < LEVEL_HEADS ? LEVEL_WEIGHT : 1);
					error[head] = ((p - wanted) * strength) / BATCH;
					rowLoss -= strength * (wanted * Math.log(p + 1e-9) + (1 - wanted) * Math.log(1 - p + 1e-9));
					outputBiasGradient[head] = (outputBiasGradient[head] as number) + (error[head] as number);
				}
				lastLoss[at] = rowLoss;
				loss += rowLoss;
				for (let filter = 0; filter < POOLED; filter++) {
					if (kept[filter] === 0) continue;
					const value = best[filter] as number;
					let back = 0;
					for (let head = 0; head < HEADS; head++) {
						const place = head * POOLED + filter;
						back += (error[head] as number) * (net.output[place] as number);
						outputGradient[place] = (outputGradient[place] as number) + (error[head] as number) * value;
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
			unique.forEach((row, at) => {
				adam.vectors.step(row, vectorGradient, (at + 1) * DIMENSIONS, options.vectorRate * fall);
				slotOf[row] = -1;
			});
		}
		onEpoch?.(epoch, loss / order.length);
	}
	return net;
}
