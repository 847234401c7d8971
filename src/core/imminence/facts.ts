import {
	ATTEMPTS,
	IDEATIONS,
	type Imminence,
	type ImminenceFacts,
	type ImminenceField,
	MEANS,
	METHODS,
	PLANS,
	type SessionState,
	type Since,
	TARGETS,
	TIMEFRAMES,
} from "../../types.js";
import type { Facts } from "../lexicon.js";

/** Values in rising order of weight: of two, the later one stands. */
const ORDER = {
	subject: ["none", "other", "self"],
	target: TARGETS,
	ideation: IDEATIONS,
	intent: ["none", "denied", "ambivalent", "stated"],
	plan: PLANS,
	means: MEANS,
	method: METHODS,
	timeframe: TIMEFRAMES,
	attempt: ATTEMPTS,
} as const satisfies Record<string, readonly string[]>;

/** No fact at all. */
export function noFacts(): ImminenceFacts {
	return {
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
}

/** Adds facts to facts in place: the weightier value of each field stands, two targets make `both`, the newer method wins. */
export function addFacts(into: ImminenceFacts, facts: Facts): void {
	for (const field of Object.keys(facts) as ImminenceField[]) {
		const value = facts[field];
		if (value === undefined || value === "none" || value === false) continue;
		if (typeof value === "boolean") (into[field] as boolean) = value;
		else if (field === "target" && into.target !== "none" && into.target !== value) into.target = "both";
		else if (field === "method") into.method = value as ImminenceFacts["method"];
		else if (weight(field, value) > weight(field, into[field] as string)) (into[field] as string) = value;
	}
	if (into.plan === "none" && namedParts(into) > 0 && into.intent === "stated") into.plan = "vague";
}

function weight(field: ImminenceField, value: string): number {
	return (ORDER[field as keyof typeof ORDER] as readonly string[]).indexOf(value);
}

/** How many of method and time are named: two make a plan specific (guide, section 4). */
function namedParts(facts: ImminenceFacts): number {
	const isTimed = facts.timeframe === "days" || facts.timeframe === "today" || facts.timeframe === "now";
	return (facts.method === "none" ? 0 : 1) + (isTimed ? 1 : 0);
}

/** The rollup of section 4. */
export function imminenceLevel(facts: ImminenceFacts): Imminence["level"] {
	const isAboutDeath = facts.ideation !== "none" || facts.attempt === "in_progress" || facts.attempt === "recent" || facts.preparation;
	const isAboutViolence = facts.target === "others" || facts.target === "both";
	const isRisk = isAboutDeath || isAboutViolence;
	if (facts.attempt === "in_progress") return "emergency";
	if (isRisk && (facts.timeframe === "now" || facts.timeframe === "today")) return "emergency";
	if (facts.intent === "stated" || facts.preparation || facts.attempt === "recent" || facts.plan === "specific") return "urgent";
	if (isRisk && facts.means === "accessible") return "urgent";
	if (facts.ideation !== "none" || isAboutViolence) return "subacute";
	return facts.history || facts.attempt === "historical" ? "chronic" : "none";
}

/** Carries a turn's facts into the session's: the facts so far and, for each that is set, the turn that set its present value. */
export function carry(state: SessionState, turnFacts: Facts, turn: number): { facts: ImminenceFacts; since: Since } {
	if (isNothing(turnFacts)) return { facts: state.facts, since: state.since };
	const facts = { ...state.facts };
	addFacts(facts, turnFacts);
	if (facts.plan !== "specific" && namedParts(facts) === 2 && facts.ideation !== "none" && facts.intent !== "denied") facts.plan = "specific";
	const since: Since = { ...state.since };
	for (const field of Object.keys(facts) as ImminenceField[]) if (facts[field] !== state.facts[field]) since[field] = turn;
	const level = imminenceLevel(facts);
	if (level !== imminenceLevel(state.facts)) since.level = turn;
	return { facts, since };
}

/**
 * True when no fact is set; most turns of most sessions. Written out, like `toImminence`: both run for every turn, and a
 * loop over names costs several times as much.
 */
function isNothing(facts: Facts): boolean {
	return (
		isUnset(facts.subject) &&
		isUnset(facts.target) &&
		isUnset(facts.ideation) &&
		isUnset(facts.intent) &&
		isUnset(facts.plan) &&
		isUnset(facts.means) &&
		isUnset(facts.method) &&
		isUnset(facts.timeframe) &&
		isUnset(facts.attempt) &&
		!(facts.preparation || facts.history || facts.protective || facts.danger_from_others)
	);
}

function isUnset(value: string | undefined): boolean {
	return value === undefined || value === "none";
}

/** The imminence object of a label. */
export function toImminence(facts: ImminenceFacts, since: Since): Imminence {
	return {
		level: imminenceLevel(facts),
		subject: facts.subject,
		target: facts.target,
		ideation: facts.ideation,
		intent: facts.intent,
		plan: facts.plan,
		means: facts.means,
		method: facts.method,
		preparation: facts.preparation,
		timeframe: facts.timeframe,
		attempt: facts.attempt,
		history: facts.history,
		protective: facts.protective,
		danger_from_others: facts.danger_from_others,
		since,
	};
}
