import { expect, test } from "vitest";
import { parseModel } from "../../src/core/model/model.js";
import { fitCalibration } from "../../src/training/calibrate.js";
import { parseCorpus } from "../../src/training/corpus.js";
import { trainFromCorpus } from "../../src/training/from-corpus.js";

/** Rows with a plain regularity: "heavy" and "dark" are risk, "sunny" and "lunch" are not. */
const ROWS = Array.from({ length: 240 }, (_, at) => {
	const isRisk = at % 2 === 1;
	return isRisk ? `R1-high\tsi=0.7 dp=0.4\tit is so heavy and dark today number ${at}` : `R0\t-\tlunch was sunny and good today number ${at}`;
}).join("\n");

test("the same rows give the same bytes, and a model that reads them back", () => {
	const first = trainFromCorpus([{ name: "rows.tsv", text: ROWS }]);
	const second = trainFromCorpus([{ name: "rows.tsv", text: ROWS }]);
	expect(first.rows).toBe(240);
	expect(Buffer.from(first.bytes).equals(Buffer.from(second.bytes))).toBe(true);
	expect(parseModel(first.bytes).weights.length).toBeGreaterThan(0);
	expect(first.heldOut["auroc(R1-high)"]).toBe(1);
});

test("too few rows are refused", () => {
	expect(() => trainFromCorpus([{ name: "rows.tsv", text: "R0\t-\thello" }])).toThrow(/too few/);
});

test("a damaged model file is refused", () => {
	const { bytes } = trainFromCorpus([{ name: "rows.tsv", text: ROWS }]);
	expect(() => parseModel(bytes.slice(0, bytes.length - 5))).toThrow(/label train/);
	expect(() => parseModel(new Uint8Array(100))).toThrow(/label train/);
});

test("a corpus row is level, signals and text; context turns are kept", () => {
	expect(parseCorpus("R2\tsi=0.9\tA: When? ||| U: tonight\\nnow\n", "c.tsv")).toEqual([
		{
			turns: [
				{ role: "assistant", content: "When?" },
				{ role: "user", content: "tonight\nnow" },
			],
			level: 3,
			scores: [0.9, 0, 0, 0, 0, 0, 0, 0, 0, 0],
		},
	]);
});

test.each(["R3\t-\thello", "R0\thello", "R0\txx=0.5\thello", "R0\tsi=2\thello"])("%j is refused with file and line", (row) => {
	expect(() => parseCorpus(`R0\t-\tfine\n${row}`, "c.tsv")).toThrow(/c\.tsv, line 2/);
});

test("the calibration recovers a known curve", () => {
	const outputs = Array.from({ length: 400 }, (_, at) => (at - 200) / 40);
	const { slope, offset } = fitCalibration(
		outputs,
		outputs.map((z) => 1 / (1 + Math.exp(-(0.6 * z - 0.5)))),
	);
	expect(slope).toBeCloseTo(0.6, 4);
	expect(offset).toBeCloseTo(-0.5, 4);
});
