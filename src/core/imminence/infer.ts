import type { Signal } from "../../types.js";
import { SIGNALS } from "../../types.js";
import type { LexiconIndex } from "../match/lexicon-index.js";
import type { TurnReading } from "../reading.js";
import { addFacts } from "./facts.js";

/** From this score on a signal is clear (guide, section 2). */
const CLEAR = 0.5;
/** From this risk on hardly any reading but intent is left: about 0.85 of the R2 band. */
const CERTAIN = 0.97;
/** From this score on the model is sure enough to be built on (guide: severe). */
const SURE = 0.75;
/** Scores nearer to each other than this tell neither from the other. */
const CLOSE = 0.1;
/** Where R1-high and R2 begin on the risk scale. */
const HIGH = 0.5;
const ACUTE = 0.8;
/** R1-mid begins here. */
const WORTH_A_LOOK = 0.25;
const SUICIDAL = SIGNALS.indexOf("suicidal_ideation");
/** Signals that are the speaker's own risk; worry and sadness go with anybody's. */
const OWN_SIGNALS: readonly Signal[] = [
	"suicidal_ideation",
	"self_harm",
	"harm_to_others",
	"psychosis",
	"substance_misuse",
	"disordered_eating",
	"hopelessness",
	"depression",
	"isolation",
];

/**
 * True when the fused scores say that the speaker thinks of suicide although no phrase has said so: mentions that count only beside ideation
 * ("I have them here") are then heard after all.
 */
export function revealsIdeation(reading: TurnReading): boolean {
	const { risk, isUser, turnFacts, stands } = reading;
	return isUser && !stands.ideation && risk >= HIGH && turnFacts.subject !== "other" && (reading.model?.scores[SUICIDAL] ?? 0) >= CLEAR;
}

/** True when the model alone is so sure of the speaker's ideation that the session may build on it. */
export function isSeenByModel(reading: TurnReading): boolean {
	return reading.isUser && reading.risk >= HIGH && reading.turnFacts.subject !== "other" && (reading.model?.scores[SUICIDAL] ?? 0) >= SURE;
}

/**
 * What follows from the fused scores where no phrase has said it: a turn with clear suicidal ideation holds ideation of the speaker (active
 * when R2, passive otherwise), and an R2 of that kind is intent unless a phrase has said what else it is (guide, sections 4 and 5);
 * self-injury is aimed at oneself, violence at others.
 */
export function inferFacts(reading: TurnReading, { index }: { index: LexiconIndex }): void {
	const { turnFacts: facts, risk, isUser } = reading;
	if (!isUser || risk < WORTH_A_LOOK || facts.subject === "other") return;
	if (facts.subject === "none" && isAboutSomeoneElse(reading, index)) {
		// In danger from them, or worried about them: who is afraid speaks of "me".
		const isThreatened = risk >= HIGH && (scoreOf(reading, "anxiety") >= WORTH_A_LOOK || mentions(reading, index.speaker));
		addFacts(facts, isThreatened ? { danger_from_others: true } : { subject: "other" });
		return;
	}
	const suicidal = scoreOf(reading, "suicidal_ideation");
	const violence = scoreOf(reading, "harm_to_others");
	const own = Math.max(suicidal, scoreOf(reading, "self_harm"));
	// One word of killing raises both scores; the clearer one says who would be harmed, and both only where phrases say so.
	const isViolent = violence >= CLEAR && violence >= own - CLOSE && risk >= HIGH;
	if (isViolent) addFacts(facts, { subject: "self", target: "others" });
	else if (suicidal >= CLEAR) inferIdeation(reading);
	else if (own >= CLEAR && risk >= HIGH) addFacts(facts, { subject: "self", target: "self" });
	else if (risk >= HIGH && !facts.danger_from_others) addFacts(facts, { subject: "self" });
}

function inferIdeation({ turnFacts: facts, risk, model }: TurnReading): void {
	addFacts(facts, { subject: "self", target: "self" });
	if (facts.attempt === "historical" || facts.intent === "denied") return;
	const isAcute = risk >= ACUTE;
	const isSure = risk >= CERTAIN;
	if (facts.ideation === "none" || isAcute) addFacts(facts, { ideation: isAcute ? "active" : "passive" });
	if (isSure && model !== undefined && facts.intent === "none" && facts.attempt === "none") addFacts(facts, { intent: "stated" });
}

/** Risk without any clear signal of the speaker's own is somebody else's, or comes from somebody else (guide, sections 3 to 5). */
function isAboutSomeoneElse(reading: TurnReading, index: LexiconIndex): boolean {
	return reading.answer === undefined && OWN_SIGNALS.every((signal) => scoreOf(reading, signal) < CLEAR) && mentions(reading, index.thirdPerson);
}

function mentions({ tokens }: TurnReading, words: Uint8Array): boolean {
	for (let at = 0; at < tokens.count; at++) if (words[tokens.word[at] as number] === 1) return true;
	return false;
}

function scoreOf({ findings, answer, model }: TurnReading, signal: Signal): number {
	let score = model?.scores[SIGNALS.indexOf(signal)] ?? 0;
	if (answer?.signal === signal) score = Math.max(score, answer.score);
	for (const finding of findings) if (finding.setAside === undefined && finding.rule.signal === signal) score = Math.max(score, finding.score);
	return score;
}
