import { createCsvWriter } from "./csv.js";
import { createJsonlWriter } from "./jsonl.js";
import type { RowWriter } from "./row-writer.js";

export type { RowWriter } from "./row-writer.js";
export type RowFormat = "jsonl" | "csv";

/** Formats of row outputs by name: a format is one pure file and one line here. */
export const ROW_FORMATS: Record<RowFormat, () => RowWriter> = {
	jsonl: createJsonlWriter,
	csv: createCsvWriter,
};
