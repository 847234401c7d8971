import { expect, test } from "vitest";
import { createScorerFrom } from "../../src/core/scorer.js";
import { loadLexicon } from "../../src/lexicon/load-lexicon.js";

const lexicon = loadLexicon();
const scorer = createScorerFrom({ lexicon, version: { name: "rules", version: "0", lexicon: "", model: "" } });
const rules = lexicon.rules.flatMap((file) => file.rules);

/** Ids of the rules that count in a user's turn, by the rules alone. */
function counted(content: string): string[] {
	return scorer.step(scorer.start(), { role: "user", content }).label.evidence.map(({ rule }) => rule);
}

test("there are at least 150 rules and 3,000 patterns over the ten signals, each rule with its own id and a source", () => {
	expect(rules.length).toBeGreaterThanOrEqual(150);
	expect(rules.flatMap(({ patterns }) => patterns).length).toBeGreaterThanOrEqual(3000);
	expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
	expect(new Set(lexicon.rules.map(({ signal }) => signal).filter((signal) => signal !== null)).size).toBe(10);
	expect(rules.filter(({ source }) => source.trim().length < 3)).toEqual([]);
});

test.each(rules.map((rule) => [rule.id, rule] as const))("%s counts in its examples and not in their look-alikes", (id, { examples }) => {
	expect(examples.yes.filter((text) => !counted(text).includes(id))).toEqual([]);
	expect(examples.no.filter((text) => counted(text).includes(id))).toEqual([]);
});

test("every question and answer is heard in its examples and not in the others", () => {
	// A yes or no makes a topic heard: what the assistant asked is kept in the state.
	const asked = (content: string): string[] => {
		const risk = { ...scorer.start(), turns: 3, memory: { ideation: 1, "ideation.turn": 2 } };
		return scorer.step(risk, { role: "assistant", content }).state.asked;
	};
	for (const { topic: named, examples } of lexicon.questions) {
		const topic = named === "standing" ? "ideation" : named;
		expect([topic, examples.yes.filter((text) => !asked(text).includes(topic))]).toEqual([topic, []]);
		expect([topic, examples.no.filter((text) => asked(text).includes(topic))]).toEqual([topic, []]);
	}
	const alternatives: Partial<Record<string, string[][]>> = { former: [["ideation"], ["mood"]], latter: [["mood"], ["ideation"]] };
	const means: Partial<Record<string, string>> = { former: "yes", latter: "yes", fine: "no", contrary: "yes", agree: "no" };
	const special: Partial<Record<string, string>> = { when: "date", days: "last-meal", heavy: "drinking", only: "living", many: "taken" };
	for (const { answer: given, examples } of lexicon.answers) {
		const answer = means[given] ?? given;
		const topic = special[given] ?? "ideation";
		const state = {
			...scorer.start(),
			asked: [topic],
			...(alternatives[given] && { alternatives: alternatives[given] }),
			...((given === "contrary" || given === "agree") && { expects: "no" as const }),
		};
		const answered = (content: string): string[] => scorer.step(state, { role: "user", content }).label.evidence.map(({ rule }) => rule);
		expect([answer, examples.yes.filter((text) => !answered(text).includes(`answer.${topic}.${answer}`))]).toEqual([answer, []]);
		expect([answer, examples.no.filter((text) => answered(text).includes(`answer.${topic}.${answer}`))]).toEqual([answer, []]);
	}
});
