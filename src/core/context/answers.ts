import type { SessionState, Signal } from "../../types.js";
import type { Answer, Facts, Need, Topic } from "../lexicon.js";
import type { LexiconIndex } from "../match/lexicon-index.js";
import type { MatchBuffer } from "../match/match-buffer.js";

/** Risk of the session from which something worrying was said: that of R1-mid. */
export const WORRYING = 0.25;

/** What a short answer says, read with the question before it. */
export interface AnswerReading {
	topic: Topic;
	answer: Answer;
	signal: Signal | null;
	score: number;
	/** Severity 0 to 3. */
	level: number;
	facts: Facts;
	/** The turn holds nothing but the answer. */
	isWhole: boolean;
}

/** Longest turn, in words, that is still read as an answer to the question before it. */
export const LONGEST_ANSWER = 14;

/** Topics in the order in which they decide when one assistant turn asks several things: the gravest first. */
const GRAVITY: readonly Topic[] = [
	"intent",
	"date",
	"time",
	"plan",
	"means",
	"means-away",
	"purpose",
	"taken",
	"attempt",
	"ideation",
	"wish",
	"method",
	"violence",
	"self-harm",
	"danger",
	"safe-from-others",
	"emergency",
	"hallucination",
	"purging",
	"drugs",
	"drinking",
	"last-meal",
	"fed",
	"eating",
	"living",
	"safety",
	"unsafe",
	"other-person",
	"mood",
	"support",
];

/** The gravest of some topics; undefined when there is none. */
export function gravest(topics: readonly string[]): Topic | undefined {
	return GRAVITY.find((topic) => topics.includes(topic));
}

type Meaning = Omit<AnswerReading, "topic" | "answer" | "isWhole">;
type MeaningTable = Partial<Record<Topic, Partial<Record<Answer, Meaning>>>>;

const says = (signal: Signal | null, score: number, level: number, facts: Facts = {}): Meaning => ({ signal, score, level, facts });
const SELF = { subject: "self", target: "self" } as const;
const si = (score: number, level: number, facts: Facts): Meaning => says("suicidal_ideation", score, level, { ...SELF, ...facts });
const DENIED = says("suicidal_ideation", 0.15, 1, { intent: "denied" });
const DODGED = says("suicidal_ideation", 0.3, 1);
const ACTIVE = si(0.75, 2, { ideation: "active" });
const NOT_YET = si(0.9, 3, { ideation: "active", intent: "stated" });
/** Told as past, nothing of now (guide, "Loss" and section 5). */
const LONG_AGO = says("suicidal_ideation", 0.25, 1);
const TAKEN = si(0.9, 3, { attempt: "in_progress" });

/** Labelling guide, sections 5 to 7 ("Answers", "Settled cases"). Topics and answers that are absent mean nothing by themselves. */
const MEANINGS: MeaningTable = {
	ideation: {
		yes: ACTIVE,
		partly: si(0.65, 2, { ideation: "active" }),
		no: DENIED,
		dodge: DODGED,
		"not-yet": si(0.65, 2, { ideation: "active" }),
		recent: ACTIVE,
		past: LONG_AGO,
		high: ACTIVE,
		middle: si(0.65, 2, { ideation: "active" }),
		low: says("suicidal_ideation", 0.2, 1),
	},
	wish: {
		yes: si(0.7, 2, { ideation: "passive" }),
		partly: si(0.6, 2, { ideation: "passive" }),
		no: DENIED,
		dodge: DODGED,
		recent: si(0.7, 2, { ideation: "passive" }),
		past: LONG_AGO,
		high: si(0.7, 2, { ideation: "passive" }),
		middle: si(0.6, 2, { ideation: "passive" }),
		low: says("suicidal_ideation", 0.2, 1),
	},
	plan: {
		yes: si(0.9, 3, { ideation: "active", plan: "vague" }),
		partly: si(0.8, 3, { ideation: "active", plan: "vague" }),
		no: DENIED,
		dodge: DODGED,
		"not-yet": si(0.75, 2, { ideation: "active" }),
		past: LONG_AGO,
	},
	method: { yes: si(0.75, 2, { ideation: "active", plan: "vague" }), partly: si(0.7, 2, { ideation: "active", plan: "vague" }), no: DENIED, dodge: DODGED },
	means: { yes: si(0.85, 3, { means: "accessible" }), partly: si(0.8, 3, { means: "accessible" }), no: says(null, 0, 1), dodge: DODGED },
	"means-away": {
		yes: says(null, 0, 1, { protective: true }),
		partly: si(0.6, 2, { means: "accessible" }),
		no: si(0.85, 3, { means: "accessible" }),
		dodge: DODGED,
	},
	time: {
		yes: si(0.9, 3, { ideation: "active", intent: "stated", timeframe: "unspecified" }),
		partly: si(0.85, 3, { ideation: "active", timeframe: "unspecified" }),
		no: DENIED,
		dodge: DODGED,
		"not-yet": NOT_YET,
	},
	date: { when: si(0.9, 3, { ideation: "active", intent: "stated", timeframe: "days" }), "not-yet": NOT_YET },
	intent: {
		yes: si(0.92, 3, { ideation: "active", intent: "stated" }),
		partly: si(0.8, 3, { ideation: "active", intent: "ambivalent" }),
		no: DENIED,
		dodge: DODGED,
		"not-yet": NOT_YET,
		high: si(0.92, 3, { ideation: "active", intent: "stated" }),
		middle: si(0.75, 2, { ideation: "active", intent: "ambivalent" }),
		low: says("suicidal_ideation", 0.2, 1),
	},
	taken: {
		many: TAKEN,
		recent: si(0.85, 3, { attempt: "recent" }),
		yes: says("substance_misuse", 0.5, 1),
		partly: says("substance_misuse", 0.4, 1),
		no: says(null, 0, 1),
		dodge: DODGED,
	},
	attempt: {
		yes: si(0.5, 2, { attempt: "historical", history: true }),
		partly: si(0.5, 2, { attempt: "historical", history: true }),
		no: says(null, 0, 1),
		dodge: DODGED,
		"not-yet": NOT_YET,
		recent: si(0.9, 3, { attempt: "recent", history: true }),
		past: si(0.3, 1, { attempt: "historical", history: true }),
	},
	purpose: {
		yes: si(0.9, 3, { ideation: "active", attempt: "recent" }),
		partly: si(0.75, 2, { ideation: "active", attempt: "recent" }),
		no: says("self_harm", 0.6, 2, SELF),
		dodge: si(0.5, 2, {}),
	},
	safety: {
		yes: says(null, 0, 0, { protective: true }),
		partly: says("suicidal_ideation", 0.3, 1),
		no: says("suicidal_ideation", 0.5, 2),
		dodge: says("suicidal_ideation", 0.3, 1),
		high: says(null, 0, 0, { protective: true }),
		middle: says("suicidal_ideation", 0.3, 1),
		low: says("suicidal_ideation", 0.5, 2),
	},
	unsafe: {
		yes: says("suicidal_ideation", 0.5, 2),
		partly: says("suicidal_ideation", 0.3, 1),
		no: says(null, 0, 0, { protective: true }),
		dodge: says("suicidal_ideation", 0.3, 1),
	},
	"self-harm": {
		yes: says("self_harm", 0.75, 2, SELF),
		partly: says("self_harm", 0.6, 2, SELF),
		no: says("self_harm", 0.15, 1),
		dodge: says("self_harm", 0.3, 1),
		recent: says("self_harm", 0.75, 2, SELF),
		past: says("self_harm", 0.3, 1, SELF),
		high: says("self_harm", 0.75, 2, SELF),
		middle: says("self_harm", 0.6, 2, SELF),
	},
	violence: {
		yes: says("harm_to_others", 0.65, 2, { target: "others" }),
		partly: says("harm_to_others", 0.55, 2, { target: "others" }),
		no: says("harm_to_others", 0.15, 1),
		dodge: says("harm_to_others", 0.3, 1),
		past: says("harm_to_others", 0.25, 1),
		"not-yet": says("harm_to_others", 0.85, 3, { target: "others", intent: "stated" }),
	},
	hallucination: {
		yes: says("psychosis", 0.65, 2),
		partly: says("psychosis", 0.5, 2),
		no: says("psychosis", 0.1, 0),
		recent: says("psychosis", 0.65, 2),
		past: says("psychosis", 0.3, 1),
	},
	fed: { no: says("disordered_eating", 0.3, 1), days: says("disordered_eating", 0.7, 2) },
	eating: { yes: says("disordered_eating", 0.5, 1), partly: says("disordered_eating", 0.4, 1), no: says(null, 0, 0) },
	purging: {
		yes: says("disordered_eating", 0.75, 2),
		partly: says("disordered_eating", 0.6, 2),
		no: says("disordered_eating", 0.1, 0),
		dodge: says("disordered_eating", 0.3, 1),
		recent: says("disordered_eating", 0.75, 2),
		past: says("disordered_eating", 0.3, 1),
	},
	"last-meal": { days: says("disordered_eating", 0.7, 2) },
	drinking: {
		heavy: says("substance_misuse", 0.7, 2),
		yes: says("substance_misuse", 0.5, 1),
		partly: says("substance_misuse", 0.4, 1),
		dodge: says("substance_misuse", 0.3, 1),
	},
	drugs: { yes: says("substance_misuse", 0.55, 1), partly: says("substance_misuse", 0.45, 1), dodge: says("substance_misuse", 0.3, 1) },
	danger: { yes: says(null, 0, 2, { danger_from_others: true }), partly: says(null, 0, 2, { danger_from_others: true }), dodge: says(null, 0, 1) },
	living: {
		yes: says(null, 0, 0, { protective: true }),
		partly: si(0.5, 2, { ideation: "passive" }),
		no: si(0.7, 2, { ideation: "passive" }),
		dodge: DODGED,
		only: si(0.5, 2, { ideation: "passive", protective: true }),
		low: si(0.6, 2, { ideation: "passive" }),
		high: says(null, 0, 0, { protective: true }),
	},
	"safe-from-others": { no: says(null, 0, 2, { danger_from_others: true }), partly: says(null, 0, 2, { danger_from_others: true }), dodge: says(null, 0, 1) },
	// Somebody else is in danger now, whatever the answer (guide, "Settled cases").
	emergency: { yes: says(null, 0, 2), partly: says(null, 0, 2), no: says(null, 0, 2), dodge: says(null, 0, 2) },
	mood: { yes: says("depression", 0.45, 1), partly: says("depression", 0.35, 1) },
	support: { no: says("isolation", 0.5, 1) },
};

/** Topics that presuppose or ask about suicide: an answer to them speaks of ideation. */
export const SUICIDE_TOPICS: ReadonlySet<string> = new Set<Topic>([
	"ideation",
	"wish",
	"plan",
	"method",
	"means",
	"means-away",
	"date",
	"time",
	"intent",
	"purpose",
	"attempt",
	"living",
]);

/** Topics that ask about acting: to deny them denies no ideation, and after violent talk they ask about violence. */
const ACTING_TOPICS: ReadonlySet<Topic> = new Set(["plan", "method", "means", "means-away", "time", "date", "intent"]);

/**
 * Reads a turn as an answer; undefined when nothing was asked or nothing answers.
 * @param state the session's, with what was asked; ideation that stands in it keeps denials of plan or intent from lowering the turn
 * @param tokenCount words of the turn
 */
export function readAnswer(matches: MatchBuffer, index: LexiconIndex, state: SessionState, tokenCount: number): AnswerReading | undefined {
	const { asked } = state;
	if (asked.length === 0 || tokenCount > LONGEST_ANSWER) return undefined;
	const said = firstAnswer(matches, index, state);
	if (said === undefined) return undefined;
	const { first, until } = said;
	const { answer, topics } = chosen(said, state);
	const isWhole = first === 0 && until === tokenCount;
	for (const topic of GRAVITY) {
		if (!topics.includes(topic)) continue;
		const meaning = MEANINGS[topic]?.[answer];
		if (meaning !== undefined) return inSession({ topic, answer, ...meaning, isWhole }, state);
	}
	return undefined;
}

interface Said {
	answer: Answer;
	/** Tokens [first, until). */
	first: number;
	until: number;
}

/**
 * "The second one" says yes to the last alternative, "the first" to the first; "i'm fine" is a yes to safety and a no to risk. "You're not suicidal, right?"
 * is denied by a mere "right" or "yeah" as by "no", and affirmed by "i am".
 */
function chosen({ answer, first, until }: Said, { asked, alternatives, expects }: SessionState): { answer: Answer; topics: readonly string[] } {
	const agrees = answer === "fine" || (answer === "yes" && until - first === 1);
	if (expects === "no" && agrees) return { answer: "no", topics: asked };
	if (answer === "contrary") return { answer: "yes", topics: asked };
	if ((answer === "former" || answer === "latter") && alternatives !== undefined) {
		const topics = alternatives.at(answer === "former" ? 0 : -1) ?? [];
		// Who chooses what is no risk ("or just tired?") says no to the rest.
		return topics.length > 0 ? { answer: "yes", topics } : { answer: "no", topics: asked };
	}
	if (answer === "fine")
		return { answer: asked.some((topic) => topic === "safety" || topic === "living" || topic === "safe-from-others") ? "yes" : "no", topics: asked };
	return { answer, topics: asked };
}

/** Answers that mean something to certain questions only, and beside others are no answers at all. */
const SPECIAL: ReadonlySet<Answer> = new Set(["middle", "when", "recent", "past", "days", "heavy", "many", "only"]);

/** The answer that stands first in the turn; of those that begin together, the longest, and a special one before others ("the 2nd"). */
function firstAnswer(matches: MatchBuffer, index: LexiconIndex, state: SessionState): Said | undefined {
	let best: Answer | undefined;
	let first = Number.MAX_SAFE_INTEGER;
	let until = 0;
	for (let at = 0; at < matches.count; at++) {
		const item = index.items[matches.id[at] as number];
		if (item?.kind !== "answer") continue;
		const isSpecial = item.answer === "contrary" || SPECIAL.has(item.answer);
		if (isSpecial && !fits(item.answer, state)) continue;
		const from = matches.first[at] as number;
		const to = matches.until[at] as number;
		const isLonger = to > until || (to === until && isSpecial);
		if (from < first || (from === first && isLonger)) {
			best = item.answer;
			first = from;
			until = to;
		}
	}
	return best && { answer: best, first, until };
}

/** True when a special answer means something to what was asked. */
function fits(answer: Answer, { asked, expects }: SessionState): boolean {
	if (answer === "contrary") return expects === "no";
	return asked.some((topic) => MEANINGS[topic as Topic]?.[answer] !== undefined);
}

/**
 * Settled cases that look at the session: denying a plan keeps the ideation, "not safe" or "yes, i took some" after ideation is R2; after violent
 * talk a plan is one of violence.
 */
function inSession(reading: AnswerReading, { memory, srs }: SessionState): AnswerReading {
	const { topic, answer } = reading;
	const stands = (risk: Need): boolean => (memory[risk] ?? 0) > 0;
	const hasTaken = topic === "taken" && answer === "yes";
	if (hasTaken && !stands("ideation") && (srs ?? 0) >= WORRYING) return { ...reading, ...si(0.5, 2, {}) };
	if (!stands("ideation") && !stands("violence")) return reading;
	const kept = answer === "no" && ACTING_TOPICS.has(topic) && topic !== "means" && topic !== "means-away" ? { ...reading, score: 0.6, level: 2 } : reading;
	if (!stands("ideation")) return ACTING_TOPICS.has(topic) ? asViolence(kept) : reading;
	const isUnsafe = (answer === "no" && topic === "safety") || (answer === "yes" && topic === "unsafe");
	if (isUnsafe) return { ...reading, score: 0.85, level: 3 };
	return hasTaken ? { ...reading, ...TAKEN } : kept;
}

/** Ideation is about suicide only (guide, "Which fields speak of whom"). */
function asViolence(reading: AnswerReading): AnswerReading {
	const { ideation: _ideation, ...facts } = reading.facts;
	return { ...reading, signal: reading.signal && "harm_to_others", facts: { ...facts, target: "others" } };
}
