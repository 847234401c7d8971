import { posix } from "node:path";
import { LabelError } from "../../errors.js";
import { type Archive, openArchive } from "../archive.js";
import type { ReadOptions } from "../options.js";
import type { DocumentRecord } from "./json.js";
import { isSlackExport, readSlackExport } from "./slack.js";

const READABLE = /\.(?:jsonl?|ndjson|csv|tsv|txt|log)(?:\.gz)?$/i;

/** Reads the bytes of an archive's entry as an input of its own. */
export type ReadEntry = (bytes: AsyncIterable<Buffer>, name: string) => AsyncIterable<DocumentRecord>;

/**
 * Reads a zip archive. Of a ChatGPT or Claude export the conversations are read, of a Slack export the channels, of an inspect_ai log the
 * samples, of any other archive all text files. An entry that can not be read is one reject; the others are read.
 * @throws LabelError `archive_unreadable`
 */
export async function* readZip(path: string, options: ReadOptions, readEntry: ReadEntry): AsyncGenerator<DocumentRecord> {
	const archive = await openArchive(path);
	try {
		if (isSlackExport(archive.names)) yield* numbered(readSlackExport(archive, options));
		else yield* numbered(readEntries(archive, chooseEntries(archive.names, path), readEntry));
	} finally {
		archive.close();
	}
}

/** @throws LabelError `archive_unreadable` when there is nothing to read */
function chooseEntries(names: readonly string[], path: string): readonly string[] {
	// An export of ChatGPT (in shards when it is large) or Claude: the other files are settings and copies for reading.
	const conversations = names.filter((name) => /^conversations(?:-\d+)?\.json$/.test(posix.basename(name)));
	if (conversations.length > 0) return conversations;
	// An inspect_ai log (.eval): the rest is summaries of the samples.
	const samples = names.filter((name) => /(?:^|\/)samples\/[^/]+\.json$/.test(name));
	const readable = samples.length > 0 ? samples : names.filter((name) => READABLE.test(name));
	if (readable.length === 0) throw new LabelError("archive_unreadable", `${path}: the archive holds no conversations: no .json, .jsonl, .csv or .txt file`);
	return readable;
}

async function* readEntries(archive: Archive, names: readonly string[], readEntry: ReadEntry): AsyncGenerator<DocumentRecord> {
	for (const name of names) {
		try {
			for await (const record of readEntry(archive.bytes(name), name))
				yield "messages" in record ? record : { ...record, message: `${name}: ${record.message}` };
		} catch (error) {
			if (!(error instanceof LabelError)) throw error;
			yield { line: 1, record: 1, code: error.code, message: error.message.startsWith(name) ? error.message : `${name}: ${error.message}`, raw: "", turns: 1 };
		}
	}
}

/** Records of an archive are numbered through, so that conversations without an id get different names. Those of one record keep one number. */
async function* numbered(records: AsyncIterable<DocumentRecord>): AsyncGenerator<DocumentRecord> {
	let record = 0;
	for await (const each of records) {
		if (!("records" in each) || each.records > 0) record++;
		yield { ...each, record };
	}
}
