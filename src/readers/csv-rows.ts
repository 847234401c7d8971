const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const QUOTE = 34;

/** Where a row ends and how it is written. */
export interface RowEnd {
	/** Place after the row's line break, or the end of the bytes. */
	next: number;
	/** Line breaks inside quotes. */
	breaks: number;
	/** `plain`: no quotes at all. `quoted`: RFC 4180. `odd`: something follows a closing quote. `open`: a quote is never closed. */
	kind: "plain" | "quoted" | "odd" | "open";
}

/** Finds the ends of CSV rows in bytes. A quote opens only at the start of a cell; elsewhere it is a character, as csv-parse's `relax_quotes` has it. */
export class RowScanner {
	private nextQuote = -2;

	constructor(
		private readonly bytes: Buffer,
		private readonly delimiter: number,
	) {}

	/** The end of the row that starts at `start` (below the length of the bytes). Linear in all over rows scanned in order. */
	endOf(start: number): RowEnd {
		const { bytes } = this;
		const feed = bytes.indexOf(LINE_FEED, start);
		const end = feed === -1 ? bytes.length : feed;
		if (this.nextQuote !== -1 && this.nextQuote < start) this.nextQuote = bytes.indexOf(QUOTE, start);
		if (this.nextQuote === -1 || this.nextQuote >= end) return { next: feed === -1 ? end : end + 1, breaks: 0, kind: "plain" };
		return this.endOfQuoted(start);
	}

	private endOfQuoted(start: number): RowEnd {
		const { bytes, delimiter } = this;
		let kind: RowEnd["kind"] = "quoted";
		let breaks = 0;
		for (let at = start; ; at++) {
			if (bytes[at] === QUOTE) {
				const close = this.closeOf(at);
				if (close === -1) return { next: bytes.length, breaks, kind: "open" };
				breaks += countBreaks(bytes, at, close);
				at = close + 1;
				const isEnd =
					at >= bytes.length || bytes[at] === delimiter || bytes[at] === LINE_FEED || (bytes[at] === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED);
				if (!isEnd) kind = "odd";
			}
			while (at < bytes.length && bytes[at] !== delimiter && bytes[at] !== LINE_FEED) at++;
			if (at >= bytes.length) return { next: bytes.length, breaks, kind };
			if (bytes[at] === LINE_FEED) return { next: at + 1, breaks, kind };
		}
	}

	/** Place of the quote that closes the one at `open`; -1 when none does. */
	private closeOf(open: number): number {
		let close = this.bytes.indexOf(QUOTE, open + 1);
		while (close !== -1 && this.bytes[close + 1] === QUOTE) close = this.bytes.indexOf(QUOTE, close + 2);
		return close;
	}
}

/** Number of line feeds from `start` to `end` (excluded). */
export function countBreaks(bytes: Uint8Array, start: number, end: number): number {
	let count = 0;
	for (let at = bytes.indexOf(LINE_FEED, start); at !== -1 && at < end; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
	return count;
}

/** Cells of a row of kind `plain` or `quoted`, without its line break. `delimiter` is one character. */
export function toCells(row: string, kind: "plain" | "quoted", delimiter: string): string[] {
	if (kind === "plain") return row.split(delimiter);
	const cells: string[] = [];
	for (let at = 0; ; at++) {
		let end: number;
		if (row[at] === '"') {
			let close = row.indexOf('"', at + 1);
			let hasDoubled = false;
			while (row[close + 1] === '"') {
				hasDoubled = true;
				close = row.indexOf('"', close + 2);
			}
			const cell = row.slice(at + 1, close);
			cells.push(hasDoubled ? cell.replaceAll('""', '"') : cell);
			end = close + 1 < row.length ? close + 1 : -1;
		} else {
			end = row.indexOf(delimiter, at);
			cells.push(end === -1 ? row.slice(at) : row.slice(at, end));
		}
		if (end === -1) return cells;
		at = end;
	}
}
