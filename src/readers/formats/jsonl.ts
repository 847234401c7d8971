import { countTurns } from "../chat.js";
import { Collector } from "../collector.js";
import type { BlockContext, Parsed, Place, ReadOptions } from "../options.js";
import { RecordError } from "../record-error.js";
import { readRecord } from "../record-shapes.js";
import { toBuffer, toText } from "../utf8.js";

const LINE_FEED = 10;

/** JSONL of every shape: parses a block of whole lines, a JSON record each. The number of a record is its line: that is where a person looks for it. */
export function parseJsonlBlock(bytes: Uint8Array, { firstLine, options }: BlockContext): Parsed {
	const collector = new Collector(options);
	const buffer = toBuffer(bytes);
	for (let start = 0, line = firstLine; start < buffer.length; line++) {
		const found = buffer.indexOf(LINE_FEED, start);
		const end = found === -1 ? buffer.length : found;
		addLine(collector, { buffer, start, end }, { line, record: line }, options);
		start = end + 1;
	}
	return collector.finish();
}

function addLine(collector: Collector, { buffer, start, end }: { buffer: Buffer; start: number; end: number }, place: Place, options: ReadOptions): void {
	let text: string | undefined;
	let value: unknown;
	try {
		text = toText(buffer, start, end);
		if (text.trim() === "") return;
		value = parseJson(text);
		readRecord(value, place, options, collector);
	} catch (error) {
		collector.reject(error, place, (text ?? buffer.toString("latin1", start, end)).trim(), countTurns(value));
	}
}

/** @throws RecordError `invalid_json` */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new RecordError("invalid_json", text.includes("\u0000") ? "not JSON: there are NUL bytes in it" : "not JSON: it is cut off or is something else");
	}
}
