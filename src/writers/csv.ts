import type { RowWriter } from "./row-writer.js";

/** What a spreadsheet would run as a formula when a cell begins with it (OWASP, CSV Injection). */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * One CSV line (RFC 4180) of flat values. Texts that a spreadsheet would run as a formula get a leading apostrophe, as OWASP advises;
 * numbers and booleans are written as they are, null and undefined as nothing.
 */
export function toCsvLine(values: readonly unknown[]): string {
	return `${values.map(toCell).join(",")}\r\n`;
}

function toCell(value: unknown): string {
	if (value === null || value === undefined) return "";
	if (typeof value !== "string") return String(value);
	const text = FORMULA.test(value) ? `'${value}` : value;
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** An object with its nested objects spread out under dotted names (`scores.anxiety`); arrays, and `since`, whose keys vary, become JSON. */
export function flatten(value: Readonly<Record<string, unknown>>, prefix = ""): Record<string, unknown> {
	const flat: Record<string, unknown> = {};
	for (const [name, part] of Object.entries(value)) {
		const isNested = typeof part === "object" && part !== null;
		if (isNested && !Array.isArray(part) && name !== "since") Object.assign(flat, flatten(part as Record<string, unknown>, `${prefix}${name}.`));
		else flat[prefix + name] = isNested ? JSON.stringify(part) : part;
	}
	return flat;
}

/** CSV with a header. The first row says which columns there are. */
export function createCsvWriter(): RowWriter {
	let columns: string[] | undefined;
	return {
		row(row) {
			const flat = flatten(row);
			const header = columns === undefined ? toCsvLine(Object.keys(flat)) : "";
			columns ??= Object.keys(flat);
			return header + toCsvLine(columns.map((name) => flat[name]));
		},
	};
}
