import type { Hint, Need } from "../lexicon.js";
import type { TurnReading } from "../reading.js";
import { severity } from "../risk/levels.js";
import { SUICIDE_TOPICS } from "./answer-meanings.js";
import type { Finding } from "./finding.js";
import { stands } from "./memory.js";

/** Frames that go on in the following turns until the speaker breaks out. */
const LASTING = new Set(["fiction", "roleplay", "game"]);

/** The frame that holds during this turn, and whether the turn says it is meant in earnest. */
export function frameOf(reading: TurnReading): { frame: string | null; isSincere: boolean } {
	const isSincere = reading.cues.some(({ cue }) => cue.kind === "sincere");
	const opened = reading.cues.find(({ cue }) => cue.opens === true && LASTING.has(cue.kind));
	if (isSincere) return { frame: null, isSincere };
	return { frame: opened?.cue.kind ?? reading.state.frame, isSincere };
}

/** True for a mention that counts for the speaker. */
export function isOwn(finding: Finding): boolean {
	return finding.setAside === undefined && finding.subject === "self";
}

/** Settles the mentions that count only in the light of what was said ("I'm going to do it tonight"). */
export function settleNeeds(reading: TurnReading): void {
	const { state, findings } = reading;
	const own = findings.filter((finding) => isOwn(finding) && finding.rule.needs === undefined && !finding.modifiers.includes("temporality:historical"));
	const asksOfSuicide = state.asked.some((topic) => SUICIDE_TOPICS.has(topic)) && !isDenial(reading);
	reading.stands = {
		ideation:
			stands(state, "ideation") ||
			asksOfSuicide ||
			hintsAtIdeation(findings) ||
			own.some(({ facts, level }) => (facts.ideation !== undefined || facts.preparation === true) && level >= 1) ||
			(reading.answer?.facts.ideation ?? "none") !== "none",
		violence: stands(state, "violence") || state.asked.includes("violence") || own.some(({ rule, level }) => rule.signal === "harm_to_others" && level >= 2),
		"self-harm": stands(state, "self-harm") || state.asked.includes("self-harm") || own.some(({ rule, level }) => rule.signal === "self_harm" && level >= 1),
	};
	for (const finding of findings) {
		const need: Need | undefined = finding.rule.needs;
		if (need === undefined || finding.setAside !== undefined || reading.stands[need]) continue;
		const { alone } = finding.rule;
		finding.facts = {};
		if (alone === undefined) {
			finding.setAside = `needs:${need}`;
			finding.score = 0;
			finding.level = 0;
		} else {
			finding.modifiers.push(`needs:${need}`);
			finding.score = Math.min(finding.score, alone.score);
			finding.level = Math.min(finding.level, severity(alone.level));
		}
	}
}

/** How much each kind of hint weighs: a rope ready and a letter left are two strong ones, an empty house and an hour two weak ones. */
const HINT_WEIGHTS: Record<Hint, number> = { means: 2, place: 2, finality: 2, affairs: 2, intent: 1, privacy: 1, time: 1 };
/** Two strong hints of different kinds, or one beside two weak ones. */
const ENOUGH_HINTS = 4;

/** True when hints of different kinds in the turn leave no innocent reading (guide, "Preparation speaks for itself"). */
function hintsAtIdeation(findings: readonly Finding[]): boolean {
	const kinds = new Set<Hint>();
	for (const finding of findings) if (finding.rule.hint !== undefined && isOwn(finding)) kinds.add(finding.rule.hint);
	let weight = 0;
	for (const kind of kinds) weight += HINT_WEIGHTS[kind];
	return weight >= ENOUGH_HINTS;
}

/** Takes mentions that were set aside for want of ideation back into account, in earnest: who thinks of suicide does not joke about the means. */
export function hearAfterAll(reading: TurnReading): void {
	reading.stands.ideation = true;
	for (const finding of reading.findings) {
		if (finding.setAside !== "needs:ideation") continue;
		finding.setAside = undefined;
		finding.score = finding.rule.score;
		finding.level = severity(finding.rule.level);
		finding.facts = finding.rule.facts ?? {};
		finding.modifiers = finding.modifiers.filter((modifier) => modifier !== "frame:joke");
	}
}

/** True when the turn answers "no". */
function isDenial(reading: TurnReading): boolean {
	return reading.answer?.answer === "no";
}
