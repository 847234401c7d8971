import { MOST_RECORD_BYTES, toBlocks } from "./blocks.js";
import { RecordError } from "./record-error.js";
import { toBuffer, toText } from "./utf8.js";

/** A line of a text file, without its break. Where `error` is set, `text` is what could be read of it. */
export interface Line {
	text: string;
	line: number;
	error?: RecordError;
}

/** The lines of a text of any length. */
export async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Line> {
	for await (const block of toBlocks(bytes, undefined)) {
		const buffer = toBuffer(block.bytes);
		if (block.skipped) {
			yield {
				text: buffer.toString("latin1"),
				line: block.firstLine,
				error: new RecordError("line_too_long", `the line is longer than ${MOST_RECORD_BYTES >> 20} MiB`),
			};
			continue;
		}
		let line = block.firstLine;
		for (let start = 0; start < buffer.length; line++) {
			const found = buffer.indexOf(10, start);
			const end = found === -1 ? buffer.length : found;
			yield readLine(buffer, start, end > start && buffer[end - 1] === 13 ? end - 1 : end, line);
			start = end + 1;
		}
	}
}

function readLine(buffer: Buffer, start: number, end: number, line: number): Line {
	try {
		return { text: toText(buffer, start, end), line };
	} catch (error) {
		if (!(error instanceof RecordError)) throw error;
		return { text: buffer.toString("latin1", start, end), line, error };
	}
}
