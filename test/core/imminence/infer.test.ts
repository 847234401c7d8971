import { describe, expect, test } from "vitest";
import { noFacts } from "../../../src/core/imminence/facts.js";
import { inferFacts } from "../../../src/core/imminence/infer.js";
import type { LexiconIndex } from "../../../src/core/match/lexicon-index.js";
import type { TurnReading } from "../../../src/core/reading.js";
import { type ImminenceFacts, SIGNALS, type Signal } from "../../../src/types.js";

/** Facts of a turn that no phrase has explained, by the model's scores. */
function infer(risk: number, scores: Partial<Record<Signal, number>>, facts: Partial<ImminenceFacts> = {}): ImminenceFacts {
	const reading = {
		risk,
		isUser: true,
		findings: [],
		answer: undefined,
		tokens: { count: 0 },
		turnFacts: { ...noFacts(), ...facts },
		model: { risk, scores: SIGNALS.map((signal) => scores[signal] ?? 0), phrases: {} },
	} as unknown as TurnReading;
	inferFacts(reading, { index: {} as LexiconIndex });
	return reading.turnFacts;
}

describe("facts inferred from the scores", () => {
	test("clear ideation is the speaker's: passive, active from R2 on, stated intent only where hardly anything else is left", () => {
		const own = { subject: "self", target: "self" };
		expect(infer(0.6, { suicidal_ideation: 0.7 })).toMatchObject({ ...own, ideation: "passive", intent: "none" });
		expect(infer(0.85, { suicidal_ideation: 0.7 })).toMatchObject({ ...own, ideation: "active", intent: "none" });
		expect(infer(0.98, { suicidal_ideation: 0.9 })).toMatchObject({ ...own, ideation: "active", intent: "stated" });
	});

	test("a hint heard before, which says whose life it is, does not keep ideation from being inferred", () => {
		expect(infer(0.9, { suicidal_ideation: 0.9 }, { subject: "self", target: "self", preparation: true }).ideation).toBe("active");
	});

	test("what a phrase has said stands: somebody else, a denial, an attempt told as past", () => {
		expect(infer(0.9, { suicidal_ideation: 0.9 }, { subject: "other" })).toMatchObject({ subject: "other", ideation: "none" });
		expect(infer(0.9, { suicidal_ideation: 0.9 }, { intent: "denied" })).toMatchObject({ ideation: "none", intent: "denied" });
		expect(infer(0.9, { suicidal_ideation: 0.9 }, { attempt: "historical" }).ideation).toBe("none");
	});

	test("the clearer of violence and ideation says who would be harmed", () => {
		expect(infer(0.9, { suicidal_ideation: 0.6, harm_to_others: 0.9 })).toMatchObject({ target: "others", ideation: "none" });
		expect(infer(0.9, { suicidal_ideation: 0.9, harm_to_others: 0.6 })).toMatchObject({ target: "self", ideation: "active" });
	});

	test("nothing follows from little risk", () => {
		expect(infer(0.1, { suicidal_ideation: 0.9 })).toEqual(noFacts());
	});
});
