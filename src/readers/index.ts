import { basename } from "node:path";
import { LabelError } from "../errors.js";
import { type Block, MOST_RECORD_BYTES, toBlocks } from "./blocks.js";
import { peek, readBytes, toPlainBytes } from "./bytes.js";
import { type Detected, detect } from "./detect.js";
import { isDiscordHeader, parseCsvBlock, readHeader } from "./formats/csv.js";
import { readDiscordRows } from "./formats/discord.js";
import { type DocumentRecord, type Gathering, readJson } from "./formats/json.js";
import { parseJsonlBlock } from "./formats/jsonl.js";
import { readWhatsapp } from "./formats/whatsapp.js";
import { readZip } from "./formats/zip.js";
import type { Parsed, ReadOptions } from "./options.js";
import { SHAPES } from "./record-shapes.js";
import { toBuffer } from "./utf8.js";

export type { Block } from "./blocks.js";
export { expandInputs } from "./expand-inputs.js";
export type { DocumentRecord } from "./formats/json.js";
export type { Parsed, ReadOptions } from "./options.js";

/** Bytes looked at to tell a format. */
const SAMPLE_BYTES = 1 << 16;

/** All formats by name, as `--format` takes them. */
export const FORMATS: readonly string[] = ["jsonl", "csv", "tsv", "json", "zip", "whatsapp", ...Object.keys(SHAPES)];

/** An opened input. `format` is the name for people; `options` go to `parseBlock`. */
export type Input = { format: string; options: ReadOptions } & (
	| {
			kind: "block";
			/** Whole records, about half a mebibyte at a time. */
			blocks(): AsyncIterable<Block>;
	  }
	| {
			kind: "document";
			/** Conversations and rejects in the order of the file. */
			read(): AsyncIterable<DocumentRecord>;
	  }
);

/**
 * Opens a file, or standard input with `-`: takes off gzip and zstd, decodes UTF-16, and tells the format from the content; `options.format` overrides.
 * @throws LabelError `file_not_found`, `file_unreadable`, `file_empty`, `format_unknown`, `missing_column`, `archive_unreadable`, `usage`
 */
export async function openInput(path: string, options: ReadOptions): Promise<Input> {
	const { format } = options;
	if (format !== undefined && !FORMATS.includes(format))
		throw new LabelError("usage", `there is no format "${format}"; known are ${FORMATS.join(", ")}`, { param: "format" });
	const name = path === "-" ? "standard input" : path;
	const named = { ...options, name: options.name ?? chatNameOf(path) };
	const { head, all } = await peek(readBytes(path), 4);
	if (!isZip(head)) {
		if (format === "zip") throw new LabelError("archive_unreadable", `${name} is no zip archive`);
		return openBytes(all, name, named);
	}
	await all.return(undefined);
	if (path === "-")
		throw new LabelError("archive_unreadable", "a zip archive can not be read from standard input, for its directory stands at its end; give the file");
	return { format: "zip", options: named, kind: "document", read: () => readZip(path, named, (bytes, entry) => readEntry(bytes, entry, named)) };
}

/** Local file header, or the end record of an archive without entries (APPNOTE.TXT, 4.3). */
function isZip(head: Buffer): boolean {
	return head.length >= 4 && (head.readUInt32LE(0) === 0x04034b50 || head.readUInt32LE(0) === 0x06054b50);
}

/** Name of a chat whose export names none: the file without folder and extensions. */
function chatNameOf(path: string): string {
	return path === "-" ? "stdin" : basename(path).replace(/(?:\.(?:gz|zst|jsonl?|ndjson|csv|tsv|txt|zip))+$/i, "");
}

async function* readEntry(bytes: AsyncIterable<Buffer>, entry: string, options: ReadOptions): AsyncGenerator<DocumentRecord> {
	const name = /^_chat$/i.test(chatNameOf(entry)) ? options.name : chatNameOf(entry);
	const input = await openBytes(bytes, entry, { ...options, name, format: options.format === "zip" ? undefined : options.format });
	yield* readInput(input);
}

/** Everything in an input, parsed in this thread. */
export async function* readInput(input: Input): AsyncGenerator<DocumentRecord> {
	if (input.kind === "document") {
		yield* input.read();
		return;
	}
	for await (const block of input.blocks()) {
		const { conversations, rejects } = parseBlock(input.format, block, input.options);
		yield* conversations;
		yield* rejects;
	}
}

async function openBytes(bytes: AsyncIterable<Buffer>, name: string, options: ReadOptions): Promise<Input> {
	const { head, all } = await peek(toPlainBytes(bytes, name), SAMPLE_BYTES);
	const isWhole = head.length < SAMPLE_BYTES;
	if (isWhole && head.toString("utf8").trim() === "") throw new LabelError("file_empty", `${name} is empty`);
	const detected = options.format === undefined ? detect(head, isWhole, name) : asked(options.format, head, isWhole, name);
	const format = detected.name;
	switch (detected.kind) {
		case "jsonl":
			return { format, kind: "block", options, blocks: () => toBlocks(all, undefined) };
		case "csv":
			return openCsv(head, all, name, options);
		case "whatsapp":
			return { format, kind: "document", options, read: () => readWhatsapp(all, head.toString("utf8"), options) };
		case "json":
			return { format, kind: "document", options, read: () => readJson(all, detected.path, detected.gathering, options) };
	}
}

/** How an input is read whose format was named: the name decides what it is, the content only how it is written down. */
function asked(format: string, head: Buffer, isWhole: boolean, name: string): Detected {
	if (format === "jsonl") return { name: format, kind: "jsonl" };
	if (format === "csv" || format === "tsv") return { name: "csv", kind: "csv" };
	if (format === "whatsapp") return { name: format, kind: "whatsapp" };
	const detected = detect(head, isWhole, name);
	if (detected.kind === "json") return { ...detected, name: format };
	const gathering: Gathering = { kind: "records" };
	if (format === "json") return { name: format, kind: "json", path: [], gathering };
	if (detected.kind === "csv" && format === "discord") return detected;
	return { name: format, kind: "jsonl" };
}

function openCsv(head: Buffer, all: AsyncIterable<Buffer>, name: string, options: ReadOptions): Input {
	// Empty lines before the header are skipped.
	const emptyLines = /^(?:[ \t]*\r?\n)*/.exec(head.toString("latin1"))?.[0] ?? "";
	const end = head.indexOf(10, emptyLines.length);
	const headerBytes = end === -1 ? head.length : end + 1;
	const header = head.toString("utf8", emptyLines.length, headerBytes).replace(/\r?\n$/, "");
	if (header.includes("\r"))
		throw new LabelError("format_unknown", `${name}: its lines end with carriage returns alone; convert them first, e.g. tr '\\r' '\\n' < FILE`);
	const csv = readNamedHeader(header, name, options);
	const withHeader = { ...options, csv };
	const blocks = (): AsyncIterable<Block> => toBlocks(without(all, headerBytes), csv.delimiter, 2 + emptyLines.split("\n").length - 1);
	if (isDiscordHeader(csv.columns)) return { format: "discord", kind: "document", options: withHeader, read: () => readDiscordRows(blocks(), csv, withHeader) };
	return { format: "csv", kind: "block", options: withHeader, blocks };
}

/** @throws LabelError `missing_column` with the name of the file */
function readNamedHeader(header: string, name: string, options: ReadOptions): NonNullable<ReadOptions["csv"]> {
	try {
		return readHeader(header, options.format === "tsv" && options.delimiter === undefined ? { ...options, delimiter: "\t" } : options);
	} catch (error) {
		if (!(error instanceof LabelError)) throw error;
		throw new LabelError(error.code, `${name}: ${error.message}`, { cause: error, ...(error.param === undefined ? {} : { param: error.param }) });
	}
}

async function* without(bytes: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
	let left = count;
	for await (const chunk of bytes) {
		const skip = Math.min(left, chunk.length);
		left -= skip;
		if (skip < chunk.length) yield skip === 0 ? chunk : chunk.subarray(skip);
	}
}

/**
 * Parses one block; pure and synchronous, so that workers can do it.
 * @param format the input's `format`
 * @param options the input's `options`
 */
export function parseBlock(format: string, block: Block, options: ReadOptions): Parsed {
	const { bytes, firstLine, firstRecord, skipped } = block;
	if (skipped) {
		const raw = toBuffer(bytes).toString("latin1");
		return {
			conversations: [],
			rejects: [
				{ line: firstLine, record: firstRecord, code: "line_too_long", message: `the record is longer than ${MOST_RECORD_BYTES >> 20} MiB`, raw, turns: 1 },
			],
		};
	}
	// Whatever the records of a file are, they stand in lines, or in rows.
	const parse = format === "csv" ? parseCsvBlock : parseJsonlBlock;
	return parse(bytes, { firstLine, firstRecord, options });
}
