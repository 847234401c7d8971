const NEWLINE = 0x0a;

/** A line that was too long to keep; its bytes are passed over. */
export const TOO_LONG = Symbol("line too long");
export type Line = Buffer | typeof TOO_LONG;

/**
 * Cuts a stream of bytes into lines, a chunk's lines at a time, so that lines that arrived together can be handled together.
 * @param maxBytes - longest line kept; the memory used is bounded by it whatever arrives
 */
export async function* readLines(stream: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line[]> {
	let parts: Buffer[] = [];
	let size = 0;
	const keep = (part: Buffer) => {
		size += part.length;
		if (size <= maxBytes) parts.push(part);
		else parts = [];
	};
	const take = (): Line => {
		const line = size > maxBytes ? TOO_LONG : Buffer.concat(parts);
		parts = [];
		size = 0;
		return line;
	};
	for await (const chunk of stream) {
		const lines: Line[] = [];
		let from = 0;
		for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
			keep(chunk.subarray(from, end));
			lines.push(take());
			from = end + 1;
		}
		keep(chunk.subarray(from));
		if (lines.length > 0) yield lines;
	}
	if (size > 0) yield [take()];
}
