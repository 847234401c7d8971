import { countBreaks, RowScanner } from "./csv-rows.js";

/** A block is at least this long, so that the work a block outweighs its passing about; twice as long costs 50 MB of memory and wins nothing (measured). */
export const BLOCK_BYTES = 1 << 19;
/** Longest record: beyond it a record is rejected without being held in memory. */
export const MOST_RECORD_BYTES = 64 << 20;
/** Bytes of a record that is too long, kept to show which it was. */
const KEPT_BYTES = 1024;
const LINE_FEED = 10;

/** Whole records of a file, in an ArrayBuffer of their own, which may be transferred to a worker. */
export interface Block {
	bytes: Uint8Array;
	/** Line and number of the first record (both from 1). */
	firstLine: number;
	firstRecord: number;
	/** The block is the beginning of one record that was too long to be read. */
	skipped?: true;
}

/** What a cutter finds in bytes that begin with a record: the end of the last whole record (0: none), and what lies before it. */
interface Cut {
	end: number;
	lines: number;
	records: number;
}
type Cutter = (bytes: Buffer) => Cut;

/** Lines: a record each. */
function cutLines(bytes: Buffer): Cut {
	const end = bytes.lastIndexOf(LINE_FEED) + 1;
	const lines = countBreaks(bytes, 0, end);
	return { end, lines, records: lines };
}

/** CSV rows, whose quoted cells may hold line breaks. */
function createRowCutter(delimiter: string): Cutter {
	return (bytes) => {
		const scanner = new RowScanner(bytes, delimiter.charCodeAt(0));
		const cut = { end: 0, lines: 0, records: 0 };
		while (cut.end < bytes.length) {
			const { next, breaks, kind } = scanner.endOf(cut.end);
			// The row that reaches the end of the bytes is whole only if a line break outside quotes ends it.
			if (kind === "open" || bytes[next - 1] !== LINE_FEED) break;
			cut.end = next;
			cut.lines += breaks + 1;
			cut.records++;
		}
		return cut;
	};
}

/**
 * Cuts bytes into blocks of whole records of about half a mebibyte; memory holds one block, or one record of at most 64 MiB.
 * @param delimiter of CSV; undefined where lines are records
 * @param firstLine line at which the bytes begin (a header may have been taken off)
 */
export async function* toBlocks(bytes: AsyncIterable<Buffer>, delimiter: string | undefined, firstLine = 1): AsyncGenerator<Block> {
	const cutter = delimiter === undefined ? cutLines : createRowCutter(delimiter);
	let held: Buffer[] = [];
	let size = 0;
	let wanted = BLOCK_BYTES;
	let line = firstLine;
	let record = 1;
	let isSkipping = false;
	for await (const chunk of bytes) {
		let rest = chunk;
		if (isSkipping) {
			const end = chunk.indexOf(LINE_FEED) + 1;
			if (end === 0) continue;
			isSkipping = false;
			line++;
			rest = chunk.subarray(end);
		}
		held.push(rest);
		size += rest.length;
		if (size < wanted) continue;
		const all = Buffer.concat(held);
		const { end, lines, records } = cutter(all);
		if (end > 0) yield { bytes: copyOf(all, end), firstLine: line, firstRecord: record };
		line += lines;
		record += records;
		const tail = all.subarray(end);
		if (tail.length > MOST_RECORD_BYTES) {
			yield { bytes: copyOf(tail, KEPT_BYTES), firstLine: line, firstRecord: record++, skipped: true };
			line += countBreaks(tail, 0, tail.length);
			isSkipping = true;
			held = [];
			size = 0;
			wanted = BLOCK_BYTES;
			continue;
		}
		held = [tail];
		size = tail.length;
		// A long record is looked at again only after it has doubled, so that the work stays linear, and when it grows too long.
		wanted = Math.min(Math.max(BLOCK_BYTES, 2 * size), MOST_RECORD_BYTES + 1);
	}
	if (size > 0) yield { bytes: copyOf(Buffer.concat(held), size), firstLine: line, firstRecord: record };
}

function copyOf(bytes: Buffer, length: number): Uint8Array {
	const copy = new Uint8Array(Math.min(length, bytes.length));
	copy.set(bytes.subarray(0, length));
	return copy;
}
