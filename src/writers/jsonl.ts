import type { RowWriter } from "./row-writer.js";

/** JSON, a row a line. U+2028 and U+2029 are escaped, for some programs take them for line breaks. */
export function createJsonlWriter(): RowWriter {
	return { row: (row) => `${JSON.stringify(row).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}\n` };
}
