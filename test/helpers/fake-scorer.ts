import type { Imminence, Label, Policy, RLevel, Scorer, Scores, SessionState, StepResult, Turn } from "../../src/types.js";
import { SIGNALS } from "../../src/types.js";

/** Words that set a turn's risk; everything else is 0. */
const WORDS: Record<string, number> = { uneasy: 0.3, awful: 0.6, doomed: 0.9 };
const POLICY: Policy = { name: "fake", thresholds: { "R1-mid": 0.25, "R1-high": 0.5, R2: 0.8 } };

const NO_FACTS: Omit<Imminence, "level" | "since"> = {
	subject: "none",
	target: "none",
	ideation: "none",
	intent: "none",
	plan: "none",
	means: "none",
	method: "none",
	preparation: false,
	timeframe: "none",
	attempt: "none",
	history: false,
	protective: false,
	danger_from_others: false,
};

/**
 * A scorer for tests of everything around the scorer: pure, deterministic, and dependent on the state, so that a turn folded on top of the wrong
 * state gets another label. `prs` is the highest word's value; a turn after an assistant's question adds 0.01.
 */
export function createFakeScorer(name = "fake"): Scorer {
	const version = { name, version: "1", lexicon: "000000000000", model: "none" };
	function start(): SessionState {
		return { version: 1, turns: 0, srs: null, mean: 0, facts: NO_FACTS, since: {}, frame: null, asked: [], memory: {} };
	}
	function step(state: SessionState, turn: Turn): StepResult {
		const word = Object.keys(WORDS).find((each) => turn.content.includes(each));
		const prs = (word === undefined ? 0 : (WORDS[word] as number)) + (state.asked.length > 0 ? 0.01 : 0);
		const srs = turn.role === "user" ? Math.max(state.srs ?? 0, prs) : (state.srs ?? 0);
		const since = { ...state.since };
		const facts = { ...state.facts };
		if (word === "doomed" && facts.plan === "none") {
			facts.plan = "vague";
			facts.preparation = true;
			since.plan = state.turns;
		}
		const start = word === undefined ? 0 : turn.content.indexOf(word);
		const label: Label = {
			prs,
			r_level: levelOf(prs),
			scores: Object.fromEntries(SIGNALS.map((signal, i) => [signal, i === state.turns % 10 ? prs : 0])) as Scores,
			imminence: { level: facts.plan === "none" ? "none" : "urgent", ...facts, since },
			session_srs: srs,
			session_r_level: levelOf(srs),
			evidence:
				word === undefined
					? []
					: [{ signal: "anxiety", start, end: start + word.length, text: word, rule: `fake.${word}`, modifiers: ["intensity:up"], contribution: prs }],
			language: "en",
			coverage: /\p{L}/u.test(turn.content) ? "full" : "none",
			scorer_version: version,
		};
		const asked = turn.role === "assistant" && turn.content.endsWith("?") ? ["fake"] : [];
		return { label, state: { ...state, turns: state.turns + 1, srs, facts, since, asked, mean: state.mean / 2 + prs / 2 } };
	}
	return { version, policy: POLICY, start, step, explain: (state, turn) => ({ ...step(state, turn), set_aside: [], steps: [] }) };
}

function levelOf(risk: number): RLevel {
	if (risk >= POLICY.thresholds.R2) return "R2";
	if (risk >= POLICY.thresholds["R1-high"]) return "R1-high";
	return risk >= POLICY.thresholds["R1-mid"] ? "R1-mid" : "R0";
}
