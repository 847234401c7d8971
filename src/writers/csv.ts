/** A cell that a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * One CSV line (RFC 4180) of flat values. Texts that a spreadsheet would run as a formula get a leading apostrophe, as OWASP advises;
 * numbers are written as they are.
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

/** An object with its nested objects spread out under dotted names (`scores.anxiety`); arrays become JSON. */
export function flatten(value: Readonly<Record<string, unknown>>, prefix = ""): Record<string, unknown> {
	const flat: Record<string, unknown> = {};
	for (const [name, part] of Object.entries(value)) {
		if (Array.isArray(part)) flat[prefix + name] = JSON.stringify(part);
		else if (typeof part === "object" && part !== null && name !== "since") Object.assign(flat, flatten(part as Record<string, unknown>, `${prefix}${name}.`));
		else flat[prefix + name] = typeof part === "object" && part !== null ? JSON.stringify(part) : part;
	}
	return flat;
}
