import { flatten, toCsvLine } from "./csv.js";

/** Rows to text. `row` gets one row after the other; the header, if the format has one, comes with the first. */
export interface RowWriter {
	row(row: Readonly<Record<string, unknown>>): string;
}

/** Formats of row outputs by name. A format is a pure function from rows to text. */
export const ROW_FORMATS: Record<"jsonl" | "csv", () => RowWriter> = {
	jsonl: () => ({ row: (row) => `${JSON.stringify(row)}\n` }),
	csv: () => {
		let columns: string[] | undefined;
		return {
			row(row) {
				const flat = flatten(row);
				const header = columns === undefined ? toCsvLine(Object.keys(flat)) : "";
				columns ??= Object.keys(flat);
				return header + toCsvLine(columns.map((name) => flat[name]));
			},
		};
	},
};
export type RowFormat = keyof typeof ROW_FORMATS;
