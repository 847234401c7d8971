import { type Convolution, POOLED, PROJECTED } from "./convolution.js";
import { CONVOLUTION_WASM } from "./convolution-wasm.js";
import { HEADS } from "./heads.js";
import { growTo, instantiate, type Place } from "./wasm.js";

/** What `convolution.assembly.ts` exports: places in its memory (bytes) and its loops. */
interface Loops {
	memory: WebAssembly.Memory;
	WORDS: Place;
	ANSWERS: Place;
	FILTER_BIAS: Place;
	OUTPUT: Place;
	OUTPUT_BIAS: Place;
	VECTOR: Place;
	FILTER_WEIGHTS: Place;
	TABLE: Place;
	project(to: number): void;
	begin(): void;
	pool(count: number): void;
	finish(): void;
}

/** Words that the loops pool at a time, and heads filled up to whole vector registers (convolution.assembly.ts). */
const MOST_WORDS = 512;
const PADDED_HEADS = 16;
const ROW_BYTES = 4 * PROJECTED;

/** Reads texts with a convolution. What the filters make of a word is worked out when the word is first met: after that a text costs additions only. */
export class ConvolutionReader {
	/** Address of each row's projections, 0 for words that were not met; the vocabulary of one data set is small beside the model's. */
	private readonly addressOf: Int32Array;
	private readonly loops = instantiate<Loops>(CONVOLUTION_WASM);
	/** Views of the loops' memory, made anew when it grows. */
	private words!: Int32Array;
	private answers!: Float32Array;
	private vector!: Float32Array;
	private free: number;

	constructor(private readonly convolution: Convolution) {
		const { filters, filterBias, output, outputBias, vectors } = convolution;
		this.addressOf = new Int32Array(vectors.hashes.length);
		this.free = this.loops.TABLE.value;
		this.makeRoom(this.free + 1024 * ROW_BYTES);
		this.write(this.loops.FILTER_WEIGHTS, filters);
		this.write(this.loops.FILTER_BIAS, filterBias);
		this.write(this.loops.OUTPUT_BIAS, outputBias);
		this.write(
			this.loops.OUTPUT,
			Float32Array.from({ length: POOLED * PADDED_HEADS }, (_, at) => output[(at % PADDED_HEADS) * POOLED + Math.floor(at / PADDED_HEADS)] ?? 0),
		);
	}

	/** Adds the outputs of all heads for the first `count` of `words` (hashes) to `z`; no words are read as one unknown word. */
	addTo(z: Float64Array, words: Int32Array, count: number): void {
		const { loops } = this;
		const { vectors } = this.convolution;
		const length = Math.max(1, count);
		loops.begin();
		for (let from = 0; from < length; from += MOST_WORDS) {
			const until = Math.min(length, from + MOST_WORDS);
			for (let at = from; at < until; at++) {
				const row = at < count ? vectors.rowOf(words[at] as number) : 0;
				// First the address, then the view: meeting a word may make the view anew.
				const address = (this.addressOf[row] as number) || this.meet(row);
				this.words[at - from] = address;
			}
			loops.pool(until - from);
		}
		loops.finish();
		for (let head = 0; head < HEADS; head++) z[head] = (z[head] as number) + (this.answers[head] as number);
	}

	/** Works out the projections of a word that was not met before. */
	private meet(row: number): number {
		const address = this.free;
		this.free += ROW_BYTES;
		if (this.free > this.loops.memory.buffer.byteLength) this.makeRoom(2 * this.free);
		this.convolution.vectors.copyTo(row, this.vector);
		this.loops.project(address);
		this.addressOf[row] = address;
		return address;
	}

	private makeRoom(bytes: number): void {
		const { memory, WORDS, ANSWERS, VECTOR } = this.loops;
		growTo(memory, bytes);
		this.words = new Int32Array(memory.buffer, WORDS.value, MOST_WORDS);
		this.answers = new Float32Array(memory.buffer, ANSWERS.value, HEADS);
		this.vector = new Float32Array(memory.buffer, VECTOR.value);
	}

	private write(place: Place, values: Float32Array): void {
		new Float32Array(this.loops.memory.buffer, place.value, values.length).set(values);
	}
}
