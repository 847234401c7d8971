import { parse } from "csv-parse/sync";
import { LabelError } from "../errors.js";
import { Collector } from "./conversation.js";
import { FIELDS, pick, RecordError, toId, toMessage } from "./message.js";
import type { BlockContext, ReadOptions } from "./options.js";
import type { InputConversation, RejectedRecord } from "./types.js";

const DELIMITERS = [",", "\t", ";", "|"] as const;

/**
 * Finds delimiter and header of a CSV file in its first line.
 * @throws LabelError `missing_column` naming what is missing and what is there
 */
export function readHeader(firstLine: string, options: ReadOptions): { delimiter: string; columns: string[] } {
	const line = firstLine.replace(/^\ufeff/, "").replace(/\r?\n$/, "");
	const delimiter = [...DELIMITERS].sort((left, right) => line.split(right).length - line.split(left).length)[0] as string;
	const columns = (parse(line, { delimiter, relax_quotes: true }) as string[][])[0]?.map((name) => name.trim()) ?? [];
	const known = columns.map((name) => Object.entries(options.map ?? {}).find(([, written]) => written === name)?.[0] ?? name.toLowerCase());
	const missing = [
		hasAny(known, [...FIELDS.sessionOfMessage, "id"]) ? undefined : "session_id",
		hasAny(known, FIELDS.role) ? undefined : "role",
		hasAny(known, FIELDS.content) ? undefined : "content",
	].filter((name) => name !== undefined);
	if (missing.length > 0) {
		const shown = columns
			.slice(0, 20)
			.map((name) => name.slice(0, 40))
			.join(", ");
		throw new LabelError(
			"missing_column",
			`the header has no column for ${missing.join(", ")} (it has: ${shown}); name them with --map ${missing.map((name) => `${name}=...`).join(",")}`,
		);
	}
	return { delimiter, columns: known };
}

function hasAny(columns: readonly string[], names: readonly string[]): boolean {
	return names.some((name) => columns.includes(name));
}

/** Parses a block of whole CSV rows (without the header): a message each. Lines count line breaks, also those inside quotes. */
export function parseCsvBlock(
	bytes: Uint8Array,
	{ firstLine, firstRecord, options }: BlockContext,
): { conversations: InputConversation[]; rejects: RejectedRecord[] } {
	const collector = new Collector(options);
	const { delimiter, columns } = options.csv as NonNullable<ReadOptions["csv"]>;
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
	const rows = parse(text, { delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, info: true, raw: true }) as unknown as {
		record: string[];
		info: { lines: number };
		raw: string;
	}[];
	rows.forEach(({ record: cells, info, raw }, at) => {
		const breaks = raw.trimEnd().split("\n").length - 1;
		const place = { line: firstLine + info.lines - 1 - breaks, record: firstRecord + at };
		try {
			collector.add(toValue(cells, columns, options), place);
		} catch (error) {
			collector.reject(error, place, raw.trimEnd());
		}
	});
	return collector.finish();
}

function toValue(cells: readonly string[], columns: readonly string[], options: ReadOptions): Parameters<Collector["add"]>[0] {
	if (cells.length !== columns.length) throw new RecordError("invalid_record", `the row has ${cells.length} cells, the header ${columns.length}`);
	const record: Record<string, unknown> = {};
	columns.forEach((name, at) => {
		const cell = cells[at] as string;
		if (cell.includes("\ufffd")) throw new RecordError("invalid_utf8", "the row is not valid UTF-8");
		record[name] = cell;
	});
	const session = toId(pick(record, FIELDS.sessionOfMessage)) ?? toId(record.id);
	if (session === null) throw new RecordError("invalid_record", "the row names no session");
	const idNames = FIELDS.messageId.filter((name) => record[name] !== session);
	return {
		kind: "message",
		session,
		endUser: toId(pick(record, FIELDS.endUser)),
		title: toId(record.title),
		message: toMessage(record, options.roleMap ?? {}, idNames),
	};
}
