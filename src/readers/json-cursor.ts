import { MOST_RECORD_BYTES } from "./blocks.js";

/** A JSON value as it stands in the document. `bytes` is null where it is longer than a record may be. */
export interface RawValue {
	bytes: Buffer | null;
	/** Line of its first byte, from 1. */
	line: number;
	/** False when the document ends inside the value. */
	isWhole: boolean;
}

const EMPTY = Buffer.alloc(0);
const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;

/**
 * Walks through a JSON document of any size and cuts out values without reading the document whole. It only looks at brackets and strings;
 * whether a value is JSON is for `JSON.parse` to say.
 */
export class JsonCursor {
	private chunk: Buffer = EMPTY;
	private at = 0;
	private passed = 0;
	private line = 1;
	private readonly chunks: AsyncIterator<Buffer>;

	constructor(bytes: AsyncIterable<Buffer>) {
		this.chunks = bytes[Symbol.asyncIterator]();
	}

	/** The next byte that is not white space, without taking it; -1 at the end. */
	async peek(): Promise<number> {
		for (;;) {
			for (; this.at < this.chunk.length; this.at++) {
				const byte = this.chunk[this.at] as number;
				if (byte === 10) this.line++;
				else if (byte !== 32 && byte !== 13 && byte !== 9) return byte;
			}
			if (!(await this.more())) return -1;
		}
	}

	/** Takes the next byte that is not white space if it is `expected`. */
	async take(expected: string): Promise<boolean> {
		if ((await this.peek()) !== expected.charCodeAt(0)) return false;
		this.at++;
		return true;
	}

	/** The line where the cursor stands, from 1. */
	get currentLine(): number {
		return this.line;
	}

	/** Number of bytes taken so far. */
	get position(): number {
		return this.passed + this.at;
	}

	/** Takes the next value: a string, an array, an object, or anything up to the next comma or bracket. Not longer than 64 MiB in memory. */
	async value(): Promise<RawValue> {
		const first = await this.peek();
		const line = this.line;
		const scan = new ValueScan(first);
		const parts: Buffer[] = [];
		let size = 0;
		let isTooLong = false;
		for (;;) {
			const end = scan.end(this.chunk, this.at);
			const part = this.chunk.subarray(this.at, end);
			size += part.length;
			if (size > MOST_RECORD_BYTES) {
				isTooLong = true;
				parts.length = 0;
			} else parts.push(part);
			this.at = end;
			if (scan.isDone) break;
			if (!(await this.more())) break;
		}
		this.line += scan.breaks;
		return { bytes: isTooLong ? null : parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts), line, isWhole: scan.isDone || !scan.isNested };
	}

	private async more(): Promise<boolean> {
		const next = await this.chunks.next();
		if (next.done) return false;
		this.passed += this.chunk.length;
		this.chunk = next.value;
		this.at = 0;
		return true;
	}

	/** Lets go of the file. */
	async close(): Promise<void> {
		await this.chunks.return?.();
	}
}

/** Finds the end of one value over several chunks. */
class ValueScan {
	isDone = false;
	breaks = 0;
	/** Whether the value has an end of its own: a bracket or a quote. */
	readonly isNested: boolean;
	private depth = 0;
	private isString = false;
	private isEscaped = false;

	constructor(first: number) {
		this.isNested = first === QUOTE || first === 0x5b || first === 0x7b;
	}

	/** Place after the value's last byte in this chunk; the chunk's length when the value goes on. */
	end(chunk: Buffer, start: number): number {
		for (let at = start; at < chunk.length; at++) {
			const byte = chunk[at] as number;
			if (this.isString) {
				if (this.isEscaped) this.isEscaped = false;
				else if (byte === BACKSLASH) this.isEscaped = true;
				else if (byte === QUOTE) {
					this.isString = false;
					if (this.depth === 0) return this.done(at + 1);
				} else if (byte === 10) this.breaks++;
			} else if (byte === QUOTE) this.isString = true;
			else if (byte === 0x7b || byte === 0x5b) this.depth++;
			else if (byte === 0x7d || byte === 0x5d) {
				// A closing bracket at depth 0 belongs to what the value stands in.
				if (this.depth === 0) return this.done(at);
				if (--this.depth === 0) return this.done(at + 1);
			} else if (byte === COMMA && this.depth === 0) return this.done(at);
			else if (byte === 10) this.breaks++;
		}
		return chunk.length;
	}

	private done(end: number): number {
		this.isDone = true;
		return end;
	}
}
