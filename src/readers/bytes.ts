import { createReadStream } from "node:fs";
import type { Duplex } from "node:stream";
import { pipeline, Readable } from "node:stream";
import * as zlib from "node:zlib";
import { LabelError } from "../errors.js";
import { BLOCK_BYTES } from "./blocks.js";

/** Bytes of a file or of standard input (`-`), as they are. @throws LabelError `file_not_found`, `file_unreadable` */
export async function* readBytes(path: string): AsyncGenerator<Buffer> {
	const source: AsyncIterable<Buffer> = path === "-" ? process.stdin : createReadStream(path, { highWaterMark: BLOCK_BYTES });
	try {
		yield* source;
	} catch (cause) {
		throw toFileError(cause, path);
	}
}

/** What a failed look at a file means, in words. */
export function toFileError(cause: unknown, path: string): LabelError {
	const { code } = cause as NodeJS.ErrnoException;
	if (code === "ENOENT" || code === "ENOTDIR") return new LabelError("file_not_found", `${path} does not exist`, { cause });
	if (code === "EISDIR") return new LabelError("file_unreadable", `${path} is a folder`, { cause });
	if (code === "EACCES" || code === "EPERM") return new LabelError("file_unreadable", `${path} can not be read: permission denied`, { cause });
	return new LabelError("file_unreadable", `${path} can not be read to its end (${code ?? "unknown error"})`, { cause });
}

/** Puts the first bytes of a stream back before the rest. */
export async function* chain(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
	try {
		if (head.length > 0) yield head;
		for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
	} finally {
		await rest.return?.();
	}
}

/** The first bytes of a stream, at least `count` if there are so many, and all of them again as a stream. */
export async function peek(bytes: AsyncIterable<Buffer>, count: number): Promise<{ head: Buffer; all: AsyncGenerator<Buffer> }> {
	const rest = bytes[Symbol.asyncIterator]();
	const parts: Buffer[] = [];
	let size = 0;
	while (size < count) {
		const next = await rest.next();
		if (next.done) break;
		parts.push(next.value);
		size += next.value.length;
	}
	const head = Buffer.concat(parts);
	return { head, all: chain(head, rest) };
}

/**
 * The text of a stream as UTF-8 bytes: gzip and zstd are taken off, UTF-16 is converted, the mark of UTF-8 dropped.
 * @param name for messages
 * @throws LabelError `file_unreadable` where the compressed data is broken or zstd is not in this Node
 */
export async function* toPlainBytes(bytes: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
	const { head, all } = await peek(bytes, 4);
	if (head[0] === 0x1f && head[1] === 0x8b) yield* toUtf8(decompress(all, zlib.createGunzip({ chunkSize: BLOCK_BYTES }), name));
	else if (head.length >= 4 && head.readUInt32LE(0) === 0xfd2fb528) yield* toUtf8(decompress(all, createZstd(name), name));
	else yield* toUtf8(all);
}

/** zstd came to Node with 22.15. @throws LabelError `file_unreadable` where it is missing */
function createZstd(name: string): Duplex {
	const create = (zlib as { createZstdDecompress?: (options: object) => Duplex }).createZstdDecompress;
	if (create === undefined)
		throw new LabelError("file_unreadable", `${name} is compressed with zstd, which needs Node 22.15 or later; decompress it first: zstd -d`);
	return create({ chunkSize: BLOCK_BYTES });
}

async function* decompress(compressed: AsyncIterable<Buffer>, decompressor: Duplex, name: string): AsyncGenerator<Buffer> {
	// A failure reaches the reader of the decompressor; the callback only keeps it from being thrown a second time.
	pipeline(Readable.from(compressed, { objectMode: false }), decompressor, () => {});
	try {
		yield* decompressor as AsyncIterable<Buffer>;
	} catch (cause) {
		if (cause instanceof LabelError) throw cause;
		throw new LabelError("file_unreadable", `${name}: the compressed data is broken or cut off`, { cause });
	}
}

/** UTF-16 by its byte order mark, or, without one, by two ASCII characters at the beginning, as RFC 4627 (section 3) tells it. */
function utf16Of([a, b, c, d]: Buffer): "utf-16le" | "utf-16be" | undefined {
	if ((a === 0xff && b === 0xfe) || (a && b === 0 && c && d === 0)) return "utf-16le";
	return (a === 0xfe && b === 0xff) || (a === 0 && b && c === 0 && d) ? "utf-16be" : undefined;
}

async function* toUtf8(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
	const { head, all } = await peek(bytes, 4);
	const encoding = utf16Of(head);
	if (encoding !== undefined) {
		const decoder = new TextDecoder(encoding);
		for await (const chunk of all) yield Buffer.from(decoder.decode(chunk, { stream: true }));
		yield Buffer.from(decoder.decode());
		return;
	}
	let mark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
	for await (const chunk of all) {
		if (chunk.length > mark) yield mark === 0 ? chunk : chunk.subarray(mark);
		mark = 0;
	}
}
