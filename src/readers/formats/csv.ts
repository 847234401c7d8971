import { parse } from "csv-parse/sync";
import { LabelError } from "../../errors.js";
import { Collector, type SessionMessage } from "../collector.js";
import { type RowEnd, RowScanner, toCells } from "../csv-rows.js";
import { FIELDS, toContent } from "../message.js";
import type { BlockContext, Parsed, Place, ReadOptions } from "../options.js";
import { RecordError } from "../record-error.js";
import { toRole } from "../roles.js";
import { toTime } from "../time.js";
import { toBuffer, toText } from "../utf8.js";

const DELIMITERS = [",", "\t", ";", "|"] as const;
/** How csv-parse is called wherever it reads: rows of any length, a quote inside an unquoted cell is a character. */
const DIALECT = { relax_quotes: true, relax_column_count: true, record_delimiter: ["\r\n", "\n"] };

/** Header that DiscordChatExporter writes (CsvMessageWriter.cs). */
const DISCORD_HEADER = "AuthorID,Author,Date,Content,Attachments,Reactions";

/** Whether these are the columns of a DiscordChatExporter CSV, which has authors and neither sessions nor roles. */
export function isDiscordHeader(columns: readonly string[]): boolean {
	return columns.join(",") === DISCORD_HEADER;
}

export type CsvHeader = NonNullable<ReadOptions["csv"]>;

/**
 * Finds delimiter and columns in the header of a CSV file.
 * @param header the header row, without its line break
 * @throws LabelError `missing_column` naming what is missing and what is there
 */
export function readHeader(header: string, options: ReadOptions): CsvHeader {
	const delimiter = options.delimiter ?? sniffDelimiter(header);
	const written = splitHeader(header, delimiter);
	if (isDiscordHeader(written)) return { delimiter, columns: written };
	const columns = written.map((name) => toColumn(name));
	for (const [name, other] of Object.entries(options.map ?? {})) {
		const at = written.indexOf(other) === -1 ? columns.indexOf(toColumn(other)) : written.indexOf(other);
		if (at === -1) throw missing([other], written);
		// A column that has the name already gives way to the one that was asked for.
		columns.forEach((column, place) => {
			if (column === name && place !== at) columns[place] = `(${column})`;
		});
		columns[at] = name;
	}
	const absent = Object.entries({ session_id: FIELDS.sessionOfMessage, role: FIELDS.role, content: FIELDS.content })
		.filter(([, names]) => !names.some((name) => columns.includes(name)))
		.map(([name]) => name);
	if (absent.length > 0) throw missing(absent, written);
	return { delimiter, columns };
}

function sniffDelimiter(header: string): string {
	const counts = DELIMITERS.map((delimiter) => splitHeader(header, delimiter).length);
	return DELIMITERS[counts.indexOf(Math.max(...counts))] as string;
}

/** The cells of a header; none when it can not be read with this delimiter. */
function splitHeader(header: string, delimiter: string): string[] {
	try {
		return ((parse(header, { ...DIALECT, delimiter }) as string[][])[0] ?? []).map((name) => name.trim());
	} catch {
		return [];
	}
}

function toColumn(name: string): string {
	return name.trim().toLowerCase().replace(/[ -]+/g, "_");
}

function missing(names: readonly string[], written: readonly string[]): LabelError {
	const hint = names.map((name) => `${name}=...`).join(",");
	return new LabelError("missing_column", `the header has no column for ${names.join(", ")} (${shownNames(written)}); name them with --map ${hint}`, {
		param: names[0] ?? "map",
	});
}

const KNOWN_NAMES: ReadonlySet<string> = new Set(Object.values(FIELDS).flat());
/** What a name of a column looks like, and a sentence does not. */
const NAME = /^[\p{L}\p{N}_.-]{1,40}$/u;

/** The names of a header, for messages. A file without header begins with what a person wrote, which must not be shown. */
function shownNames(written: readonly string[]): string {
	if (!written.some((name) => KNOWN_NAMES.has(toColumn(name))))
		return `none of its ${written.length} columns has a name that label knows: is the first row a header?`;
	const shown = written.slice(0, 20).map((name, at) => (NAME.test(name) ? name : `column ${at + 1}`));
	return `it has: ${shown.join(", ")}`;
}

/** CSV and TSV: parses a block of whole rows (without the header), a message each. Lines count line breaks, also those inside quotes. */
export function parseCsvBlock(bytes: Uint8Array, { firstLine, firstRecord, options }: BlockContext): Parsed {
	const csv = options.csv as CsvHeader;
	const collector = new Collector(options);
	const toMessage = createRowReader(csv.columns);
	readRows(bytes, { firstLine, firstRecord }, csv, {
		row: (cells, place) => collector.addMessage(toMessage(cells, options), place),
		failed: (error, place, raw) => collector.reject(error, place, raw),
	});
	return collector.finish();
}

interface RowEvents {
	/** A row with as many cells as the header. What it throws goes to `failed`. */
	row(cells: string[], place: Place): void;
	failed(error: unknown, place: Place, raw: string): void;
}

/** Reads the rows of a block, the empty ones left out. */
export function readRows(
	bytes: Uint8Array,
	{ firstLine, firstRecord }: { firstLine: number; firstRecord: number },
	{ delimiter, columns }: CsvHeader,
	events: RowEvents,
): void {
	const buffer = toBuffer(bytes);
	const scanner = new RowScanner(buffer, delimiter.charCodeAt(0));
	for (let start = 0, line = firstLine, record = firstRecord; start < buffer.length; record++) {
		const { next, breaks, kind } = scanner.endOf(start);
		const end = withoutBreak(buffer, start, next);
		const place = { line, record };
		try {
			if (end > start) events.row(cellsOf(toText(buffer, start, end), kind, delimiter, columns.length), place);
		} catch (error) {
			events.failed(error, place, buffer.toString(error instanceof RecordError && error.code === "invalid_utf8" ? "latin1" : "utf8", start, end));
		}
		line += breaks + 1;
		start = next;
	}
}

/** End of a row without its line break. */
function withoutBreak(buffer: Buffer, start: number, next: number): number {
	if (buffer[next - 1] !== 10) return next;
	return next - 2 >= start && buffer[next - 2] === 13 ? next - 2 : next - 1;
}

/** @throws RecordError `invalid_record` */
function cellsOf(row: string, kind: RowEnd["kind"], delimiter: string, count: number): string[] {
	if (kind === "open") throw new RecordError("invalid_record", "a quote that opens in this row is never closed");
	const cells = kind === "odd" ? oddCells(row, delimiter) : toCells(row, kind, delimiter);
	if (cells.length !== count) throw new RecordError("invalid_record", `the row has ${cells.length} cells, the header ${count}`);
	return cells;
}

/** Cells of a row with text behind a closing quote: csv-parse knows these dialects. @throws RecordError */
function oddCells(row: string, delimiter: string): string[] {
	try {
		const rows = parse(row, { ...DIALECT, delimiter }) as string[][];
		if (rows.length === 1) return rows[0] as string[];
	} catch {
		// Said below: what csv-parse says would quote the row.
	}
	throw new RecordError("invalid_record", "the quotes of this row can not be made out");
}

/** A function from cells to a message; which column is what is decided once. */
function createRowReader(columns: readonly string[]): (cells: readonly string[], options: ReadOptions) => SessionMessage {
	const places = (names: readonly string[]): number[] => names.map((name) => columns.indexOf(name)).filter((at) => at !== -1);
	const [sessions, roles, contents, times] = [places(FIELDS.sessionOfMessage), places(FIELDS.role), places(FIELDS.content), places(FIELDS.createdAt)];
	const [endUsers, titles, ids] = [places(FIELDS.endUser), places(["title"]), places(FIELDS.messageId)];
	const first = (cells: readonly string[], from: readonly number[], except = -1): string | null => {
		for (const at of from) if (cells[at] !== "" && at !== except) return cells[at] as string;
		return null;
	};
	const sessionAt = sessions[0] as number;
	return (cells, options) => {
		if (cells[sessionAt] === "") throw new RecordError("invalid_record", "the row names no session");
		return {
			session: cells[sessionAt] as string,
			endUser: first(cells, endUsers),
			title: first(cells, titles),
			message: {
				role: toRole(first(cells, roles), options.roleMap),
				content: toContent(first(cells, contents)),
				external_id: first(cells, ids, sessionAt),
				created_at: toTime(first(cells, times)),
			},
		};
	};
}
