import { parse } from "csv-parse/sync";
import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { flatten } from "../../src/writers/csv.js";
import { ROW_FORMATS } from "../../src/writers/index.js";
import { toTable } from "../../src/writers/table.js";

const ROW = {
	session_external_id: "s1",
	turn: 0,
	content: "hello",
	scores: { anxiety: 0.25 },
	imminence: { plan: "none", since: { plan: 3 } },
	evidence: [{ rule: "r" }],
	created_at: null,
};

describe("csv", () => {
	test("nested objects become dotted columns, lists and `since` become JSON, null is empty", () => {
		expect(ROW_FORMATS.csv().row(ROW)).toBe(
			'session_external_id,turn,content,scores.anxiety,imminence.plan,imminence.since,evidence,created_at\r\ns1,0,hello,0.25,none,"{""plan"":3}","[{""rule"":""r""}]",\r\n',
		);
	});

	test("the header comes once, and its columns stay", () => {
		const writer = ROW_FORMATS.csv();
		writer.row({ a: 1, b: 2 });
		expect(writer.row({ b: 4, a: 3, c: 5 })).toBe("3,4\r\n");
	});

	test("property: csv-parse reads back what was written; texts that begin a formula have an apostrophe before them", () => {
		fc.assert(
			fc.property(
				fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.oneof(fc.string(), fc.constantFrom("=1+1", "@x", "-2", "+3", "\tx", "\rx", 'a"b', "a\nb", "a,b")), {
					minKeys: 1,
				}),
				(row) => {
					const text = ROW_FORMATS.csv().row({ first: 1, ...row });
					const [, cells] = parse(text, { record_delimiter: "\r\n" }) as string[][];
					expect(cells).toEqual(["1", ...Object.values(row).map((value) => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value))]);
				},
			),
		);
	});

	test("numbers below zero are numbers", () => {
		expect(ROW_FORMATS.csv().row({ id: -1 })).toBe("id\r\n-1\r\n");
	});

	test("property: flattening loses no value", () => {
		fc.assert(
			fc.property(
				fc.dictionary(
					fc.stringMatching(/^[a-z]{1,4}$/),
					fc.oneof(fc.integer(), fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.integer(), { minKeys: 1 })),
					{ noNullPrototype: true },
				),
				(row) => {
					const flat = flatten(row);
					for (const [name, value] of Object.entries(row)) {
						if (typeof value === "number") expect(flat[name]).toBe(value);
						else for (const [inner, number] of Object.entries(value)) expect(flat[`${name}.${inner}`]).toBe(number);
					}
				},
			),
		);
	});
});

describe("jsonl", () => {
	test("property: one line a row, and JSON.parse brings it back", () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.constant("\u2028\u2029\n"), fc.jsonValue()), { noNullPrototype: true }), (row) => {
				const text = ROW_FORMATS.jsonl().row(row);
				expect(text.slice(0, -1)).not.toMatch(/[\n\r\u2028\u2029]/);
				expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(row)));
			}),
		);
	});
});

describe("table", () => {
	test("columns are as wide as what they show, numbers stand to the right", () => {
		expect(
			toTable(
				["name", "turns"],
				[
					["日本", 7],
					["ada", 12],
					["👩‍👩‍👧", 3],
				],
			),
		).toBe("name  turns\n日本      7\nada      12\n👩‍👩‍👧        3\n");
	});

	test("property: nothing in a cell reaches the terminal as a control, and every line has the same width", () => {
		const cell = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\u001b[2J\u001b]0;x\u0007", "a\r\nb", "\u202eabc", "\u{113d1}", "\u009b31m", "日本"));
		fc.assert(
			fc.property(fc.array(fc.tuple(cell, fc.nat(999)), { minLength: 1, maxLength: 5 }), (rows) => {
				const lines = toTable(["text", "number"], rows).split("\n").slice(0, -1);
				expect(lines).toHaveLength(rows.length + 1);
				// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
				for (const line of lines) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
				expect(new Set(lines.map((line) => stringWidth(line))).size).toBe(1);
			}),
		);
	});

	test("colour is put around a cell after its width is known", () => {
		expect(toTable(["a", "b"], [["x", "y"]], (text, row, column) => (row === 0 && column === 0 ? `<${text}>` : text))).toBe("a  b\n<x>  y\n");
	});
});
