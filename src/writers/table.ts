import stringWidth from "string-width";
import { inert } from "./inert.js";

/**
 * A table for terminals: columns as wide as their widest cell (wide East Asian characters and emoji take two places), numbers aligned to the
 * right. Cells are data: control characters and escape sequences in them are made visible, so that they do nothing.
 * @param paint colours a cell of a body row after its width is known; absent: no colours
 */
export function toTable(
	header: readonly string[],
	rows: readonly (readonly (string | number)[])[],
	paint: (text: string, row: number, column: number) => string = (text) => text,
): string {
	const texts = [header, ...rows].map((row) => row.map((cell) => inert(String(cell))));
	const widths = header.map((_, column) => texts.reduce((width, row) => Math.max(width, widthOf(row[column] ?? "")), 0));
	const isNumber = header.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === "number"));
	const line = (row: readonly string[], number: number): string => {
		const last = row.length - 1;
		const cells = row.map((text, column) => {
			const space = " ".repeat(Math.max(0, (widths[column] as number) - widthOf(text)));
			const shown = number === 0 ? text : paint(text, number - 1, column);
			return isNumber[column] ? space + shown : column === last ? shown : shown + space;
		});
		return `${cells.join("  ").trimEnd()}\n`;
	};
	return texts.map(line).join("");
}

/** How wide a cell is with a space after it, without the space: some characters (U+113D1, say) make one sign with what follows them. */
function widthOf(text: string): number {
	return stringWidth(`${text} `) - 1;
}
