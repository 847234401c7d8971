/** Width of a text in terminal cells: wide East Asian characters and emoji take two, combining marks none. */
export function cellWidth(text: string): number {
	let width = 0;
	for (const char of text) {
		if (/\p{M}|\u200d|\ufe0f/u.test(char)) continue;
		width += /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u.test(char) ? 2 : 1;
	}
	return width;
}

/** A table for terminals: columns as wide as their widest cell; numbers are aligned to the right. Colour is the caller's. */
export function toTable(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
	const texts = [header, ...rows.map((row) => row.map(String))];
	const widths = header.map((_, column) => Math.max(...texts.map((row) => cellWidth(row[column] ?? ""))));
	const isNumber = header.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === "number"));
	const pad = (text: string, column: number): string => {
		const space = " ".repeat(Math.max(0, (widths[column] as number) - cellWidth(text)));
		return isNumber[column] ? space + text : text + space;
	};
	return texts.map((row) => `${row.map(pad).join("  ").trimEnd()}\n`).join("");
}
