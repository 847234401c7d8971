import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LabelError } from "../../src/errors.js";
import { toBlocks } from "../../src/readers/blocks.js";
import { readHeader, readRows } from "../../src/readers/formats/csv.js";

/** Texts made of the signs that CSV readers stumble over. */
const hostile = fc
	.array(fc.constantFrom("a", "bc", ",", ";", '"', '""', "\n", "\r\n", "\r", " ", "é", "🙂", "\ufffd", "="), { maxLength: 60 })
	.map((parts) => parts.join(""));

/** Rows by our scanner, whatever their number of cells; null where one could not be read. */
function scan(text: string): (string[] | null)[] {
	const found: (string[] | null)[] = [];
	const widths = new Set<number>();
	// The number of cells must be known to the reader: each row is tried with all that occur.
	for (let width = 1; width < 70; width++) widths.add(width);
	const rows = new Map<number, string[] | null>();
	for (const width of widths) {
		readRows(
			Buffer.from(text),
			{ firstLine: 1, firstRecord: 1 },
			{ delimiter: ",", columns: Array.from({ length: width }, () => "x") },
			{ row: (cells, { record }) => rows.set(record, cells), failed: (_error, { record }) => rows.has(record) || rows.set(record, null) },
		);
	}
	for (const record of [...rows.keys()].sort((left, right) => left - right)) found.push(rows.get(record) as string[] | null);
	return found;
}

describe("rows", () => {
	test("property: the same cells as csv-parse on hostile text, row by row, wherever csv-parse can read it", () => {
		fc.assert(
			fc.property(hostile, (text) => {
				let expected: string[][];
				try {
					expected = parse(text, { relax_quotes: true, relax_column_count: true, record_delimiter: ["\r\n", "\n"], skip_empty_lines: true }) as string[][];
				} catch {
					// A quote is never closed: csv-parse gives up the whole text, the scanner this row only.
					expect(scan(text).at(-1)).toBeNull();
					return;
				}
				expect(scan(text)).toEqual(expected);
			}),
			{ numRuns: 3_000 },
		);
	});

	test("property: well-formed tables come back as they were written", () => {
		const cell = fc.array(fc.constantFrom("x", '"', ",", "\n", "\r\n", "ü", " "), { maxLength: 6 }).map((parts) => parts.join(""));
		fc.assert(
			fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }), fc.constantFrom("\n", "\r\n"), (table, feed) => {
				const text = table.map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(",") + feed).join("");
				const found: string[][] = [];
				const failed = (error: unknown): never => {
					throw error;
				};
				readRows(
					Buffer.from(text),
					{ firstLine: 1, firstRecord: 1 },
					{ delimiter: ",", columns: ["a", "b", "c"] },
					{ row: (cells) => void found.push(cells), failed },
				);
				expect(found).toEqual(table);
			}),
		);
	});

	test("property: lines and records are those of the text, wherever blocks are cut", async () => {
		await fc.assert(
			fc.asyncProperty(hostile, fc.integer({ min: 1, max: 7 }), async (text, step) => {
				// Long cells, so that there is more than one block.
				const long = `x,"${"y".repeat(600_000)}\n"\n`;
				const whole = Buffer.from(`${long}${text}\n${long}${long}`);
				const cutUp = [];
				for (let at = 0; at < whole.length; at += step * 100_003) cutUp.push(whole.subarray(at, at + step * 100_003));
				const read = async (chunks: Buffer[]): Promise<[number, number, string][]> => {
					const places: [number, number, string][] = [];
					const note = (_: unknown, { line, record }: { line: number; record: number }): void => void places.push([line, record, ""]);
					for await (const block of toBlocks(toStream(chunks), ","))
						readRows(block.bytes, block, { delimiter: ",", columns: ["a", "b"] }, { row: note, failed: note });
					return places;
				};
				expect(await read(cutUp)).toEqual(await read([whole]));
			}),
			{ numRuns: 40 },
		);
	});
});

async function* toStream(chunks: Buffer[]): AsyncGenerator<Buffer> {
	yield* chunks;
}

describe("header", () => {
	test.each([
		["session_id,role,content", ","],
		["session_id\trole\tcontent", "\t"],
		["session_id;role;content", ";"],
		["session_id|role|content", "|"],
		['"session_id","role","content; with, signs"', ","],
	])("%s has the delimiter %j", (header, delimiter) => {
		expect(readHeader(header.replace("content; with, signs", "content"), {}).delimiter).toBe(delimiter);
	});

	test("a missing column is named, with what is there and what to do", () => {
		const read = (): unknown => readHeader("id,author_name,text", {});
		expect(read).toThrow(LabelError);
		expect(read).toThrow("the header has no column for role (it has: id, author_name, text); name them with --map role=...");
	});

	test("a column that --map names and that is not there is an error", () => {
		expect(() => readHeader("session_id,role,content", { map: { content: "body" } })).toThrow("no column for body");
	});
});
