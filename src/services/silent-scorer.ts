import { noScores } from "../core/explain.js";
import { noFacts, toImminence } from "../core/imminence/facts.js";
import { DEFAULT_POLICY } from "../core/risk/levels.js";
import { startSession } from "../core/step.js";
import type { Label, Policy, Scorer } from "../types.js";

/** A scorer that reads nothing: every turn is R0 with coverage `none`. It measures what everything but scoring costs (`--scorer none`). */
export function silentScorer(policy: Policy = DEFAULT_POLICY): Scorer {
	const version = { name: "none", version: "0", lexicon: "none", model: "none" };
	const label: Label = {
		prs: 0,
		r_level: "R0",
		scores: noScores(),
		imminence: toImminence(noFacts(), {}),
		session_srs: 0,
		session_r_level: "R0",
		evidence: [],
		language: "und",
		coverage: "none",
		scorer_version: version,
	};
	// Spelt out, for a spread costs as much as all the rest of a turn.
	const step: Scorer["step"] = ({ version, turns, mean, facts, since, frame, asked, memory }) => ({
		label,
		state: { version, turns: turns + 1, srs: 0, mean, facts, since, frame, asked, memory },
	});
	return { version, policy, start: startSession, step, explain: (state, turn) => ({ ...step(state, turn), set_aside: [], steps: [] }) };
}
