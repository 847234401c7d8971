import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { LabelError } from "../errors.js";
import { type Block, MOST_RECORD_BYTES, readBytes, toBlocks, toUtf8 } from "./blocks.js";
import { parseCsvBlock, readHeader } from "./csv.js";
import { readJsonDocument } from "./json-document.js";
import { parseJsonlBlock } from "./jsonl.js";
import type { BlockContext, ReadOptions } from "./options.js";
import type { InputConversation, RejectedRecord } from "./types.js";

export type { BlockContext, ReadOptions } from "./options.js";

type Parsed = { conversations: InputConversation[]; rejects: RejectedRecord[] };

/** Formats that are cut into blocks and parsed by workers. */
const BLOCK_FORMATS: Record<string, (bytes: Uint8Array, context: BlockContext) => Parsed> = { jsonl: parseJsonlBlock, csv: parseCsvBlock };
/** All formats by name, as `--format` takes them. */
export const FORMATS = ["jsonl", "csv", "tsv", "json"] as const;

/** Largest JSON document that is read whole. */
const MOST_DOCUMENT_BYTES = 512 << 20;
/** Bytes looked at to tell a format. */
const SAMPLE_BYTES = 64 << 10;

/** An opened input. */
export type Input = { format: string; options: ReadOptions } & (
	| { kind: "block"; blocks(): AsyncIterable<Block> }
	| { kind: "document"; read(): AsyncIterable<InputConversation | RejectedRecord> }
);

/**
 * Opens a file, or standard input with `-`: decompresses, decodes and tells the format from the content.
 * @throws LabelError `file_not_found`, `file_unreadable`, `file_empty`, `format_unknown`, `missing_column`
 */
export async function openInput(path: string, options: ReadOptions): Promise<Input> {
	const chunks = toUtf8(readBytes(path))[Symbol.asyncIterator]();
	let head = Buffer.alloc(0);
	let isDone = false;
	while (head.length < SAMPLE_BYTES && !isDone) {
		const next = await chunks.next();
		if (next.done) isDone = true;
		else head = Buffer.concat([head, next.value]);
	}
	const name = path === "-" ? "standard input" : path;
	if (head.toString("utf8", 0, SAMPLE_BYTES).trim() === "" && isDone) throw new LabelError("file_empty", `${name} is empty`);
	const all = (async function* (): AsyncGenerator<Buffer> {
		yield head;
		for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
	})();
	const format = options.format ?? detect(head, name);
	if (format === "json") return { format, kind: "document", options, read: () => readWhole(all, name, options) };
	if (format === "csv" || format === "tsv") return openCsv(head, all, name, options);
	if (format !== "jsonl") throw new LabelError("usage", `there is no format "${format}"; known are ${FORMATS.join(", ")}`, { param: "format" });
	return { format, kind: "block", options, blocks: () => toBlocks(all, false) };
}

function openCsv(head: Buffer, all: AsyncGenerator<Buffer>, name: string, options: ReadOptions): Input {
	const end = head.indexOf(10);
	const headerBytes = end === -1 ? head.length : end + 1;
	let csv: NonNullable<ReadOptions["csv"]>;
	try {
		csv = readHeader(head.toString("utf8", 0, headerBytes), options);
	} catch (error) {
		if (error instanceof LabelError) throw new LabelError(error.code, `${name}: ${error.message}`, { cause: error });
		throw error;
	}
	const body = (async function* (): AsyncGenerator<Buffer> {
		let left = headerBytes;
		for await (const chunk of all) {
			const skip = Math.min(left, chunk.length);
			left -= skip;
			if (skip < chunk.length) yield chunk.subarray(skip);
		}
	})();
	return { format: "csv", kind: "block", options: { ...options, csv }, blocks: () => toBlocks(body, true, 2) };
}

async function* readWhole(bytes: AsyncIterable<Buffer>, name: string, options: ReadOptions): AsyncGenerator<InputConversation | RejectedRecord> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of bytes) {
		size += chunk.length;
		if (size > MOST_DOCUMENT_BYTES)
			throw new LabelError(
				"file_unreadable",
				`${name} is one JSON document of more than ${MOST_DOCUMENT_BYTES >> 20} MiB; turn it into JSONL (jq -c '.[]') and run that`,
			);
		chunks.push(chunk);
	}
	let value: unknown;
	try {
		value = JSON.parse(Buffer.concat(chunks).toString("utf8"));
	} catch (cause) {
		throw new LabelError("file_unreadable", `${name} is no whole JSON document: it is cut off or is something else`, { cause });
	}
	yield* readJsonDocument(value, options);
}

/** @throws LabelError `format_unknown` */
function detect(head: Buffer, name: string): string {
	const text = head.toString("utf8", 0, SAMPLE_BYTES);
	const isBinary = head.subarray(0, 4096).filter((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)).length > 4096 * 0.02;
	const start = text.trimStart();
	if (start.startsWith("[")) return "json";
	if (start.startsWith("{")) {
		const line = start.slice(0, start.indexOf("\n") === -1 ? undefined : start.indexOf("\n"));
		if (isJson(line) || start.indexOf("\n") === -1) return "jsonl";
		return /^\{\s*\n/.test(start) ? "json" : "jsonl";
	}
	const header = start.slice(0, start.indexOf("\n") === -1 ? 4096 : start.indexOf("\n"));
	if (!isBinary && /[,;\t|]/.test(header) && header.length < 4096) return "csv";
	throw new LabelError("format_unknown", `${name} is of no format that label knows (${FORMATS.join(", ")}); if it is one of them, say so with --format`);
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** Parses one block; pure, so that workers can do it. */
export function parseBlock(format: string, block: Block, options: ReadOptions): Parsed {
	const { bytes, firstLine, firstRecord, skipped } = block;
	if (skipped) {
		const raw = Buffer.from(bytes).toString("latin1");
		return {
			conversations: [],
			rejects: [
				{ line: firstLine, record: firstRecord, code: "line_too_long", message: `the record is longer than ${MOST_RECORD_BYTES >> 20} MiB`, raw, turns: 1 },
			],
		};
	}
	const parse = BLOCK_FORMATS[format];
	if (parse === undefined) throw new LabelError("usage", `${format} is no block format`);
	return parse(bytes, { firstLine, firstRecord, options });
}

/**
 * Files behind paths: folders recursively (hidden ones left out), files as they are, `-` for standard input. The shell expands globs.
 * @throws LabelError `file_not_found`, `file_unreadable`
 */
export function expandInputs(paths: readonly string[]): string[] {
	return paths.flatMap((path) => {
		if (path === "-") return [path];
		try {
			return statSync(path).isDirectory() ? filesOf(path) : [path];
		} catch (cause) {
			if ((cause as NodeJS.ErrnoException).code === "ENOENT") throw new LabelError("file_not_found", `${path} does not exist`, { cause });
			throw new LabelError("file_unreadable", `${path} can not be read (${(cause as NodeJS.ErrnoException).code})`, { cause });
		}
	});
}

function filesOf(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true })
		.filter(({ name }) => !name.startsWith("."))
		.sort((left, right) => left.name.localeCompare(right.name))
		.flatMap((entry) => (entry.isDirectory() ? filesOf(join(folder, entry.name)) : entry.isFile() ? [join(folder, entry.name)] : []));
}
