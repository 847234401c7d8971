/** Rows to text. `row` gets one row after the other; the header, if the format has one, comes with the first. */
export interface RowWriter {
	row(row: Readonly<Record<string, unknown>>): string;
}
