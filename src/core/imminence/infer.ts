import type { Signal } from "../../types.js";
import { SIGNALS } from "../../types.js";
import type { TurnReading } from "../reading.js";
import { addFacts } from "./facts.js";

/** From this score on a signal is clear (guide, section 2). */
const CLEAR = 0.5;
/** Where R1-high and R2 begin on the risk scale. */
const HIGH = 0.5;
const ACUTE = 0.8;

/**
 * True when the fused scores say that the speaker thinks of suicide although no phrase has said so: mentions that count only beside ideation
 * ("I have them here") are then heard after all.
 */
export function revealsIdeation(reading: TurnReading): boolean {
	const { risk, isUser, turnFacts, stands } = reading;
	return isUser && !stands.ideation && risk >= HIGH && turnFacts.subject !== "other" && scoreOf(reading, "suicidal_ideation") >= CLEAR;
}

/**
 * What follows from the fused scores where no phrase has said it: a turn that is R1-high or R2 for suicidal ideation holds ideation of the
 * speaker (active when R2, passive otherwise), self-injury is aimed at oneself, violence at others.
 */
export function inferFacts(reading: TurnReading): void {
	const { turnFacts: facts, risk, isUser } = reading;
	if (!isUser || risk < HIGH || facts.subject === "other") return;
	const isClear = (signal: Signal): boolean => scoreOf(reading, signal) >= CLEAR;
	if (isClear("suicidal_ideation")) {
		if (facts.ideation === "none" && facts.attempt !== "historical") addFacts(facts, { ideation: risk >= ACUTE ? "active" : "passive" });
		addFacts(facts, { subject: "self", target: "self" });
	}
	if (isClear("self_harm")) addFacts(facts, { subject: "self", target: "self" });
	if (isClear("harm_to_others")) addFacts(facts, { subject: "self", target: "others" });
}

function scoreOf({ findings, answer, model }: TurnReading, signal: Signal): number {
	let score = model?.scores[SIGNALS.indexOf(signal)] ?? 0;
	if (answer?.signal === signal) score = Math.max(score, answer.score);
	for (const finding of findings) if (finding.setAside === undefined && finding.rule.signal === signal) score = Math.max(score, finding.score);
	return score;
}
