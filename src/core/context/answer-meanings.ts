import type { Signal } from "../../types.js";
import type { Answer, Facts, Topic } from "../lexicon.js";

/** What an answer says of the one who gives it. */
export interface Meaning {
	signal: Signal | null;
	score: number;
	/** Severity 0 to 3. */
	level: number;
	facts: Facts;
}

type Meanings = Partial<Record<Answer, Meaning>>;

const says = (signal: Signal | null, score: number, level: number, facts: Facts = {}): Meaning => ({ signal, score, level, facts });
const SELF = { subject: "self", target: "self" } as const;
/** Of suicide, by the user for the user. */
export const si = (score: number, level: number, facts: Facts): Meaning => says("suicidal_ideation", score, level, { ...SELF, ...facts });
const DENIED = says("suicidal_ideation", 0.15, 1, { intent: "denied" });
const DODGED = says("suicidal_ideation", 0.3, 1);
const ACTIVE = si(0.75, 2, { ideation: "active" });
const NOT_YET = si(0.9, 3, { ideation: "active", intent: "stated" });
/** Told as past, nothing of now (guide, "Loss" and section 5). */
const LONG_AGO = says("suicidal_ideation", 0.25, 1);
/** Something was taken, where dying was spoken of. */
export const TAKEN = si(0.9, 3, { attempt: "in_progress" });
export const RECENTLY_TAKEN = si(0.9, 3, { attempt: "recent" });

const SAFETY = {
	yes: says(null, 0, 0, { protective: true }),
	partly: says("suicidal_ideation", 0.3, 1),
	no: says("suicidal_ideation", 0.5, 2),
	dodge: says("suicidal_ideation", 0.3, 1),
	high: says(null, 0, 0, { protective: true }),
	middle: says("suicidal_ideation", 0.3, 1),
	low: says("suicidal_ideation", 0.5, 2),
} satisfies Meanings;

/**
 * Labelling guide, sections 5 to 7 ("Answers", "Settled cases"), the gravest topic first: it decides where one assistant turn asks several things. Answers that
 * are absent mean nothing by themselves. "standing" is named by what stands (questions.ts) before it is answered.
 */
export const MEANINGS: Record<Exclude<Topic, "standing">, Meanings> = {
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
	date: { when: si(0.9, 3, { ideation: "active", intent: "stated", timeframe: "days" }), "not-yet": NOT_YET },
	time: {
		yes: si(0.9, 3, { ideation: "active", intent: "stated", timeframe: "unspecified" }),
		partly: si(0.85, 3, { ideation: "active", timeframe: "unspecified" }),
		no: DENIED,
		dodge: DODGED,
		"not-yet": NOT_YET,
	},
	plan: {
		yes: si(0.9, 3, { ideation: "active", plan: "vague" }),
		partly: si(0.8, 3, { ideation: "active", plan: "vague" }),
		no: DENIED,
		dodge: DODGED,
		"not-yet": si(0.75, 2, { ideation: "active" }),
	},
	means: { yes: si(0.85, 3, { means: "accessible" }), partly: si(0.8, 3, { means: "accessible" }), no: says(null, 0, 1), dodge: DODGED },
	"means-away": {
		yes: says(null, 0, 1, { protective: true }),
		partly: si(0.6, 2, { means: "accessible" }),
		no: si(0.85, 3, { means: "accessible" }),
		dodge: DODGED,
	},
	purpose: {
		yes: si(0.9, 3, { ideation: "active", attempt: "recent" }),
		partly: si(0.75, 2, { ideation: "active", attempt: "recent" }),
		no: says("self_harm", 0.6, 2, SELF),
		dodge: si(0.5, 2, {}),
	},
	// Of a headache's pills as of others: what it means is settled by what stands (answers.ts).
	taken: {
		many: says("substance_misuse", 0.5, 1),
		recent: says("substance_misuse", 0.4, 1),
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
	ideation: {
		yes: ACTIVE,
		partly: si(0.65, 2, { ideation: "active" }),
		no: DENIED,
		dodge: DODGED,
		"not-yet": si(0.65, 2, { ideation: "active" }),
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
		past: LONG_AGO,
		high: si(0.7, 2, { ideation: "passive" }),
		middle: si(0.6, 2, { ideation: "passive" }),
		low: says("suicidal_ideation", 0.2, 1),
	},
	method: { yes: si(0.75, 2, { ideation: "active", plan: "vague" }), partly: si(0.7, 2, { ideation: "active", plan: "vague" }), no: DENIED, dodge: DODGED },
	violence: {
		yes: says("harm_to_others", 0.65, 2, { target: "others" }),
		partly: says("harm_to_others", 0.55, 2, { target: "others" }),
		no: says("harm_to_others", 0.15, 1),
		dodge: says("harm_to_others", 0.3, 1),
		past: says("harm_to_others", 0.25, 1),
		"not-yet": says("harm_to_others", 0.85, 3, { target: "others", intent: "stated" }),
	},
	"self-harm": {
		yes: says("self_harm", 0.75, 2, SELF),
		partly: says("self_harm", 0.6, 2, SELF),
		no: says("self_harm", 0.15, 1),
		dodge: says("self_harm", 0.3, 1),
		past: says("self_harm", 0.3, 1, SELF),
		high: says("self_harm", 0.75, 2, SELF),
		middle: says("self_harm", 0.6, 2, SELF),
	},
	danger: { yes: says(null, 0, 2, { danger_from_others: true }), partly: says(null, 0, 2, { danger_from_others: true }), dodge: says(null, 0, 1) },
	"safe-from-others": { no: says(null, 0, 2, { danger_from_others: true }), partly: says(null, 0, 2, { danger_from_others: true }), dodge: says(null, 0, 1) },
	// Somebody else is in danger now, whatever the answer (guide, "Settled cases").
	emergency: { yes: says(null, 0, 2), partly: says(null, 0, 2), no: says(null, 0, 2), dodge: says(null, 0, 2) },
	hallucination: {
		yes: says("psychosis", 0.65, 2),
		partly: says("psychosis", 0.5, 2),
		no: says("psychosis", 0.1, 0),
		past: says("psychosis", 0.3, 1),
	},
	purging: {
		yes: says("disordered_eating", 0.75, 2),
		partly: says("disordered_eating", 0.6, 2),
		no: says("disordered_eating", 0.1, 0),
		dodge: says("disordered_eating", 0.3, 1),
		past: says("disordered_eating", 0.3, 1),
	},
	drugs: { yes: says("substance_misuse", 0.55, 1), partly: says("substance_misuse", 0.45, 1), dodge: says("substance_misuse", 0.3, 1) },
	drinking: {
		heavy: says("substance_misuse", 0.7, 2),
		yes: says("substance_misuse", 0.5, 1),
		partly: says("substance_misuse", 0.4, 1),
		dodge: says("substance_misuse", 0.3, 1),
	},
	"last-meal": { days: says("disordered_eating", 0.7, 2) },
	fed: { no: says("disordered_eating", 0.3, 1), days: says("disordered_eating", 0.7, 2) },
	eating: { yes: says("disordered_eating", 0.5, 1), partly: says("disordered_eating", 0.4, 1), no: says(null, 0, 0) },
	living: {
		yes: says(null, 0, 0, { protective: true }),
		partly: si(0.5, 2, { ideation: "passive" }),
		no: si(0.7, 2, { ideation: "passive" }),
		dodge: DODGED,
		only: si(0.5, 2, { ideation: "passive", protective: true }),
		low: si(0.6, 2, { ideation: "passive" }),
		high: says(null, 0, 0, { protective: true }),
	},
	safety: SAFETY,
	unsafe: { ...SAFETY, yes: SAFETY.no, no: SAFETY.yes },
	"other-person": {},
	mood: { yes: says("depression", 0.45, 1), partly: says("depression", 0.35, 1) },
	support: { no: says("isolation", 0.5, 1) },
};

/** Topics in the order in which they decide. */
export const GRAVITY = Object.keys(MEANINGS) as (keyof typeof MEANINGS)[];

/** The gravest of some topics; undefined when there is none. */
export function gravest(topics: readonly string[]): Topic | undefined {
	return GRAVITY.find((topic) => topics.includes(topic));
}

/** Topics that ask about acting: to deny them denies no ideation, and after violent talk they ask about violence. */
export const ACTING_TOPICS: ReadonlySet<Topic> = new Set(["plan", "method", "means", "means-away", "time", "date", "intent"]);

/** Topics whose questions name suicide: what they ask is no talk of phones, nor of violence. */
export const EXPLICIT_TOPICS: ReadonlySet<string> = new Set<Topic>(["ideation", "wish", "purpose", "attempt", "living"]);

/** Topics that presuppose or ask about suicide: an answer to them speaks of ideation. */
export const SUICIDE_TOPICS: ReadonlySet<string> = new Set([...EXPLICIT_TOPICS, ...ACTING_TOPICS]);
