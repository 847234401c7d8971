import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { LabelError } from "../errors.js";

/** A block is at least this long, so that the work a block outweighs its passing about. */
const BLOCK_BYTES = 1 << 20;
/** Longest record: beyond it a line is rejected without being held in memory. */
export const MOST_RECORD_BYTES = 64 << 20;
const LINE_FEED = 10;
const QUOTE = 34;

/** Whole records of a file. `skipped` stands for a record that was too long to be read. */
export interface Block {
	bytes: Uint8Array;
	firstLine: number;
	firstRecord: number;
	skipped?: true;
}

/** Bytes of a file or of standard input, decompressed. @throws LabelError `file_not_found`, `file_unreadable` */
export async function* readBytes(path: string): AsyncGenerator<Buffer> {
	const source: NodeJS.ReadableStream = path === "-" ? process.stdin : createReadStream(path, { highWaterMark: BLOCK_BYTES });
	try {
		const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
		const first = await chunks.next();
		if (first.done) return;
		const rest = resume(Buffer.from(first.value), chunks);
		if (isGzip(first.value)) yield* gunzip(rest);
		else yield* rest;
	} catch (cause) {
		throw toFileError(cause, path);
	}
}

async function* resume(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
	yield first;
	for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield Buffer.from(next.value);
}

function isGzip(bytes: Buffer): boolean {
	return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function* gunzip(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
	const gunzipper = createGunzip({ chunkSize: BLOCK_BYTES });
	const feed = (async () => {
		for await (const chunk of compressed) if (!gunzipper.write(chunk)) await new Promise((resolve) => gunzipper.once("drain", resolve));
		gunzipper.end();
	})();
	feed.catch((error: Error) => gunzipper.destroy(error));
	yield* gunzipper as AsyncIterable<Buffer>;
	await feed;
}

function toFileError(cause: unknown, path: string): unknown {
	if (cause instanceof LabelError) return cause;
	const { code } = cause as NodeJS.ErrnoException;
	if (code === "ENOENT") return new LabelError("file_not_found", `${path} does not exist`, { cause });
	if (code === "EISDIR") return new LabelError("file_unreadable", `${path} is a folder`, { cause });
	if (code === "EACCES" || code === "EPERM") return new LabelError("file_unreadable", `${path} can not be read: permission denied`, { cause });
	return new LabelError("file_unreadable", `${path} can not be read to its end (${code ?? "unknown error"})`, { cause });
}

/** UTF-16 with a byte order mark becomes UTF-8; the mark of UTF-8 is dropped. */
export async function* toUtf8(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
	let decoder: InstanceType<typeof TextDecoder> | undefined;
	let isFirst = true;
	for await (const chunk of bytes) {
		if (isFirst) {
			isFirst = false;
			if (chunk[0] === 0xff && chunk[1] === 0xfe) decoder = new TextDecoder("utf-16le");
			else if (chunk[0] === 0xfe && chunk[1] === 0xff) decoder = new TextDecoder("utf-16be");
			else if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) {
				yield chunk.subarray(3);
				continue;
			}
		}
		yield decoder ? Buffer.from(decoder.decode(chunk, { stream: true })) : chunk;
	}
	if (decoder) yield Buffer.from(decoder.decode());
}

/** Cuts bytes into blocks of whole records: lines, or CSV rows, whose quoted cells may hold line breaks. */
export async function* toBlocks(bytes: AsyncIterable<Buffer>, isCsv: boolean, firstLine = 1): AsyncGenerator<Block> {
	let held: Buffer[] = [];
	let size = 0;
	let line = firstLine;
	let record = 1;
	let isTooLong = false;
	let isQuoted = false;
	for await (const chunk of bytes) {
		const cut = lastBreak(chunk, isCsv, isQuoted);
		isQuoted = cut.isQuoted;
		if (isTooLong) {
			line += countBreaks(chunk, 0, cut.first === -1 ? chunk.length : cut.first + 1);
			if (cut.first === -1) continue;
			isTooLong = false;
			held = [chunk.subarray(cut.first + 1)];
			size = chunk.length - cut.first - 1;
			if (cut.last === cut.first) continue;
		} else {
			held.push(chunk);
			size += chunk.length;
		}
		if (cut.last === -1) {
			if (size <= MOST_RECORD_BYTES) continue;
			yield { bytes: Buffer.concat(held).subarray(0, 1024), firstLine: line, firstRecord: record, skipped: true };
			for (const part of held) line += countBreaks(part, 0, part.length);
			record++;
			held = [];
			size = 0;
			isTooLong = true;
			continue;
		}
		if (size < BLOCK_BYTES) {
			// Wait for more, but remember nothing: the next chunk's last break lies further on.
			continue;
		}
		const tail = chunk.length - cut.last - 1;
		const whole = Buffer.concat(held);
		const block = Uint8Array.prototype.slice.call(whole, 0, whole.length - tail);
		yield { bytes: block, firstLine: line, firstRecord: record };
		const breaks = countBreaks(block, 0, block.length);
		line += breaks;
		record += isCsv ? countRows(block) : breaks;
		held = tail > 0 ? [Buffer.from(whole.subarray(whole.length - tail))] : [];
		size = tail;
	}
	if (size > 0) yield { bytes: Uint8Array.prototype.slice.call(Buffer.concat(held)), firstLine: line, firstRecord: record };
}

/** First and last line break of a chunk that end a record; -1 when there is none. */
function lastBreak(chunk: Buffer, isCsv: boolean, wasQuoted: boolean): { first: number; last: number; isQuoted: boolean } {
	if (!isCsv) return { first: chunk.indexOf(LINE_FEED), last: chunk.lastIndexOf(LINE_FEED), isQuoted: false };
	let isQuoted = wasQuoted;
	let first = -1;
	let last = -1;
	for (let at = 0; at < chunk.length; at++) {
		const byte = chunk[at];
		if (byte === QUOTE) isQuoted = !isQuoted;
		else if (byte === LINE_FEED && !isQuoted) {
			if (first === -1) first = at;
			last = at;
		}
	}
	return { first, last, isQuoted };
}

function countBreaks(bytes: Uint8Array, from: number, until: number): number {
	let count = 0;
	for (let at = bytes.indexOf(LINE_FEED, from); at !== -1 && at < until; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
	return count;
}

function countRows(bytes: Uint8Array): number {
	let isQuoted = false;
	let count = 0;
	for (const byte of bytes) {
		if (byte === QUOTE) isQuoted = !isQuoted;
		else if (byte === LINE_FEED && !isQuoted) count++;
	}
	return count;
}
