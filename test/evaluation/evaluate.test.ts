import { describe, expect, test } from "vitest";
import { evaluate, judge } from "../../src/evaluation/evaluate.js";
import { parseGold } from "../../src/evaluation/gold.js";
import { rulesAlone } from "../helpers/fold.js";

const GOLD = [
	{
		id: "one",
		turns: [
			{ role: "user", content: "the weather is nice", gold: { r_level: "R0" } },
			{
				role: "user",
				content: "i want to die",
				gold: { r_level: "R1-high", signals: ["suicidal_ideation"], imminence: { ideation: "active", intent: "stated" } },
			},
			{ role: "assistant", content: "i am here" },
			{ role: "user", content: "im going to kill myself tonight", gold: { r_level: "R2", signals: ["suicidal_ideation"], modifiers: ["temporality"] } },
		],
		gold: { session_r_level: "R2" },
	},
	{ id: "two", turns: [{ role: "user", content: "zebras are striped", gold: { r_level: "R2", maybe: ["anxiety"] } }] },
];
const text = GOLD.map((one) => JSON.stringify(one)).join("\n");

describe("evaluation of a set counted by hand", () => {
	const evaluation = evaluate(judge(parseGold(text, "gold.jsonl"), rulesAlone), 20, 5);

	test("counts", () => {
		expect(evaluation).toMatchObject({ conversations: 2, turns: 4 });
		expect(evaluation.confusion).toEqual([
			[1, 0, 0, 0],
			[0, 0, 0, 0],
			[0, 0, 1, 0],
			[1, 0, 0, 1],
		]);
	});

	test("figures", () => {
		expect(evaluation.figures).toMatchObject({
			exact: 0.75,
			"recall(R2)": 0.5,
			"precision(R2)": 1,
			"false_positives(R1-mid)": 0,
			"session.exact": 1,
			imminence: 0.5,
		});
		// Signals with no positive turn give nothing, not zero.
		expect(evaluation.signals.suicidal_ideation).toEqual({ positives: 2, auroc: 1, f1: 1 });
		expect(evaluation.signals.psychosis).toMatchObject({ positives: 0, auroc: null });
		expect(Object.keys(evaluation.intervals)).toContain("exact");
	});

	test("imminence fields, slices and the worst misses", () => {
		expect(evaluation.imminence).toEqual({ ideation: { judged: 1, agreed: 1 }, intent: { judged: 1, agreed: 0 } });
		expect(evaluation.slices["temporality"]).toMatchObject({ turns: 1, exact: 1 });
		expect(evaluation.worst).toEqual([expect.objectContaining({ id: "two", turn: 0, gold: "R2", predicted: "R0" })]);
		expect(JSON.stringify(evaluation.worst)).not.toContain("zebras");
	});
});

describe("gold files", () => {
	test.each([
		["no JSON", `${JSON.stringify(GOLD[1])}\n{secret`, "line 2", "invalid_record"],
		[
			"a wrong level",
			JSON.stringify({ id: "x", turns: [{ role: "user", content: "secret", gold: { r_level: "R9" } }] }),
			"turns.0.gold.r_level",
			"invalid_record",
		],
		["no turns", JSON.stringify({ id: "secret", turns: [] }), "line 1", "invalid_record"],
		["nothing", "\n \n", "gold.jsonl", "file_empty"],
	])("%s is refused by place, never with its text", (_, wrong, where, code) => {
		let thrown: unknown;
		try {
			parseGold(wrong, "gold.jsonl");
		} catch (error) {
			thrown = error;
		}
		expect(thrown).toMatchObject({ code, message: expect.stringContaining(where) });
		expect((thrown as Error).message).not.toContain("secret");
	});
});
