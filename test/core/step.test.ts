import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openScorer } from "../../src/lexicon/open-scorer.js";
import { type Label, ROLES, type Scorer, type SessionState, SIGNALS, type Turn } from "../../src/types.js";
import { foldSession, lastLabel, rulesAlone } from "../helpers/fold.js";

const withModel = openScorer();
const PHRASES = [
	"i want to die",
	"i'm not going to kill myself",
	"tonight",
	"yes",
	"no",
	"not yet",
	"i have the pills here",
	"i'm going to do it",
	"let's write a story where the narrator dies",
	"honestly this isn't just a story",
	"my sister wants to die",
	"i cut again last night",
	"i feel so worthless and alone every day",
	"i want to kill my boss",
	"lol jk",
	"i was joking",
	"years ago i tried to kill myself",
	"Are you thinking about killing yourself?",
	"Do you have a plan to end your life?",
	"How are you today?",
	"the weather is nice",
	"i took too many pills and my hands are numb",
	"they'd be better off without me",
	"k i l l  m y s e l f 😭",
];
const content = fc.oneof(
	{ weight: 4, arbitrary: fc.array(fc.constantFrom(...PHRASES), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(". ")) },
	{ weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 80 }) },
);
const turn: fc.Arbitrary<Turn> = fc.record({ role: fc.constantFrom("user", "user", "user", "assistant", ...ROLES), content });
const session = fc.array(turn, { minLength: 1, maxLength: 10 });

function fold(scorer: Scorer, turns: readonly Turn[], from: SessionState = scorer.start()): { labels: Label[]; state: SessionState } {
	let state = from;
	const labels = turns.map((one) => {
		const result = scorer.step(state, one);
		state = result.state;
		return result.label;
	});
	return { labels, state };
}

describe.each([
	["rules alone", rulesAlone],
	["with the model", withModel],
])("the fold, %s", (_, scorer) => {
	test("does not change the state it is given", () => {
		fc.assert(
			fc.property(session, (turns) => {
				let state = scorer.start();
				for (const one of turns) {
					const before = structuredClone(state);
					const next = scorer.step(state, one).state;
					expect(state).toEqual(before);
					state = next;
				}
			}),
			{ numRuns: 60 },
		);
	});

	test("gives the same labels when it is split at any turn and the state goes through JSON", () => {
		fc.assert(
			fc.property(session, fc.nat(10), (turns, cut) => {
				const whole = fold(scorer, turns);
				const first = fold(scorer, turns.slice(0, cut));
				// Another session in between must leave no trace.
				fold(scorer, [{ role: "user", content: "i will kill myself tonight" }]);
				const second = fold(scorer, turns.slice(cut), JSON.parse(JSON.stringify(first.state)) as SessionState);
				expect([...first.labels, ...second.labels]).toEqual(whole.labels);
				expect(second.state).toEqual(whole.state);
			}),
			{ numRuns: 80 },
		);
	});

	test("holds its promises on every turn", () => {
		fc.assert(
			fc.property(session, (turns) => {
				let before = 0;
				fold(scorer, turns).labels.forEach((label, at) => {
					const text = turns[at]?.content as string;
					expect(label.prs).toBeGreaterThanOrEqual(0);
					expect(label.prs).toBeLessThanOrEqual(1);
					expect(label.session_srs).toBeGreaterThanOrEqual(before);
					before = label.session_srs;
					for (const { start, end, text: quoted } of label.evidence) expect(text.slice(start, end)).toBe(quoted);
					for (const signal of SIGNALS) {
						const pieces = label.evidence.filter((piece) => piece.signal === signal);
						const sum = pieces.reduce((total, { contribution }) => total + contribution, 0);
						expect(label.scores[signal]).toBeLessThanOrEqual(1);
						for (const { contribution } of pieces) expect(contribution).toBeGreaterThanOrEqual(0);
						// Without evidence only a weak score of the model stands (guide, section 8).
						if (pieces.length > 0 || label.scores[signal] > 0.25) expect(sum).toBeCloseTo(label.scores[signal], 6);
					}
				});
			}),
			{ numRuns: 100 },
		);
	});

	test("turns of others than the user never move the session", () => {
		fc.assert(
			fc.property(session, turn, (turns, one) => {
				fc.pre(one.role !== "user");
				const { state } = fold(scorer, turns);
				const { label, state: after } = scorer.step(state, one);
				expect(label.session_srs).toBe(state.srs ?? 0);
				expect(after).toMatchObject({ srs: state.srs ?? 0, mean: state.mean, facts: state.facts, since: state.since, memory: state.memory });
			}),
			{ numRuns: 60 },
		);
	});

	test("explains the same label that it gives", () => {
		fc.assert(
			fc.property(session, turn, (turns, one) => {
				const { state } = fold(scorer, turns);
				const { label, state: after } = scorer.step(state, one);
				const explained = scorer.explain(state, one);
				expect(explained.label).toEqual(label);
				expect(explained.state).toEqual(after);
				for (const { start, end, text, reason } of explained.set_aside) {
					expect(one.content.slice(start, end)).toBe(text);
					expect(reason).not.toBe("");
				}
			}),
			{ numRuns: 40 },
		);
	});

	test("never throws, whatever the text", () => {
		fc.assert(
			fc.property(fc.array(fc.nat(0xffff), { maxLength: 400 }), (units) => {
				const text = String.fromCharCode(...units);
				expect(scorer.step(scorer.start(), { role: "user", content: text }).state.turns).toBe(1);
			}),
		);
	});
});

describe("roles", () => {
	test("an assistant that speaks of suicide discloses nothing", () => {
		const label = lastLabel(["A: If you want to kill yourself, please call a crisis line."]);
		expect(label).toMatchObject({ prs: 0, r_level: "R0", session_srs: 0, evidence: [] });
	});

	test("an assistant's own statement keeps its score and moves no session", () => {
		const [label] = foldSession(["A: I want to die"]);
		expect(label).toMatchObject({ r_level: "R1-high", session_r_level: "R0", session_srs: 0 });
		expect(label?.scores.suicidal_ideation).toBeGreaterThanOrEqual(0.5);
	});

	test("the first state has no risk yet, and counts turns of all roles", () => {
		expect(rulesAlone.start()).toMatchObject({ turns: 0, srs: null });
		expect(
			fold(rulesAlone, [
				{ role: "system", content: "hi" },
				{ role: "user", content: "hi" },
			]).state.turns,
		).toBe(2);
	});

	test("a burden statement scores isolation and raises suicidal ideation", () => {
		const { scores } = lastLabel(["they'd be better off without me"]);
		expect(scores.isolation).toBeGreaterThanOrEqual(0.5);
		expect(scores.suicidal_ideation).toBeGreaterThanOrEqual(0.5);
	});
});

test("where the model has seen ideation, what waited for it counts in earnest, laugh or no laugh", () => {
	const { label } = withModel.step(withModel.start(), {
		role: "user",
		content: "i'm so done with everything, no reason to be here, tonight i'm going to do it lol",
	});
	const tonight = label.evidence.filter(({ rule }) => rule.startsWith("si.time.today"));
	expect(tonight).not.toEqual([]);
	expect(tonight.flatMap(({ modifiers }) => modifiers)).not.toContain("frame:joke");
	expect(label.imminence.timeframe).toBe("today");
	expect(rulesAlone.step(rulesAlone.start(), { role: "user", content: "tonight i'm going to do it lol" }).label.r_level).toBe("R0");
});
