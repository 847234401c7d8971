import { stands } from "../context/memory.js";
import { isOwn } from "../context/read-context.js";
import type { TurnReading } from "../reading.js";

/** Decides the turn's level from its mentions, its answer and what stands in the session (labelling guide, sections 5 and 6). */
export function decideLevel(reading: TurnReading): void {
	const { findings, answer, reasons } = reading;
	let level = 0;
	for (const finding of findings) {
		if (finding.setAside !== undefined || finding.level <= level) continue;
		level = finding.level;
		reasons.push(`${finding.rule.id} gives ${LEVEL_NAMES[level]}`);
	}
	if (answer !== undefined && answer.level > level) {
		level = answer.level;
		reasons.push(`the answer "${answer.answer}" to a question about ${answer.topic} gives ${LEVEL_NAMES[level]}`);
	}
	const acute = acuteFact(reading);
	if (acute !== undefined && level < 3) {
		level = 3;
		reasons.push(`${acute} gives R2`);
	}
	if (level === 0 && isDenialWithWeight(reading)) {
		level = 1;
		reasons.push("a denial after a question, earlier ideation or beside distress gives R1-mid");
	}
	reading.level = level;
	reading.strength = strengthOf(reading);
}

const LEVEL_NAMES = ["R0", "R1-mid", "R1-high", "R2"];

/** What this turn adds to ideation (or violence) that stands, so that someone must act now; undefined when nothing. */
function acuteFact(reading: TurnReading): string | undefined {
	const facts = reading.turnFacts;
	if (facts.subject === "other") return undefined;
	const isTimed = facts.timeframe === "today" || facts.timeframe === "now";
	if (reading.stands.ideation) {
		if (facts.attempt === "in_progress" || facts.attempt === "recent") return "an attempt now or lately";
		if (facts.intent === "stated") return "intent beside ideation";
		if (facts.plan === "specific") return "a specific plan beside ideation";
		if (facts.preparation) return "preparation beside ideation";
		if (facts.means === "accessible") return "means at hand beside ideation";
		if (isTimed) return "a time beside ideation";
	}
	if (reading.stands.violence && (facts.target === "others" || facts.target === "both")) {
		if (facts.means === "accessible" || isTimed || facts.plan === "specific" || facts.intent === "stated")
			return "means, time or plan beside a threat to others";
	}
	return undefined;
}

/** A denial is R1-mid after a question, after earlier ideation or beside real distress; as a correction in passing it is R0. */
function isDenialWithWeight(reading: TurnReading): boolean {
	const isDenied = reading.findings.some(({ setAside, facts }) => setAside === "negation" && facts.intent === "denied");
	const isRetracted = reading.cues.some(({ cue }) => cue.kind === "retraction");
	if (!isDenied && !isRetracted) return false;
	if (stands(reading.state, "ideation")) return true;
	return isDenied && reading.findings.some((finding) => isOwn(finding) && finding.score >= 0.4);
}

/** Place inside the level's band: the strongest mention's score, a little higher for each further signal. */
function strengthOf(reading: TurnReading): number {
	let strongest = reading.answer?.score ?? 0;
	let others = 0;
	for (const { setAside, score } of reading.findings) {
		if (setAside !== undefined) continue;
		if (score > strongest) strongest = score;
		if (score >= 0.4) others++;
	}
	return Math.min(1, strongest + 0.02 * Math.max(0, others - 1));
}
