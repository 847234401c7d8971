import type { ImminenceFacts, RLevel, Signal } from "../types.js";

/** What the core knows of a lexicon: plain data, validated by `src/lexicon/schema.ts`, which documents each field. */
export interface Lexicon {
	language: string;
	classes: Record<string, string[]>;
	spellings: Record<string, string>;
	rules: RuleFile[];
	cues: Cue[];
	questions: Question[];
	answers: AnswerPatterns[];
	/** Common English words, for the language detector. */
	words: string[];
}

export interface RuleFile {
	signal: Signal | null;
	rules: Rule[];
}

export type Facts = { [Field in keyof ImminenceFacts]?: ImminenceFacts[Field] | undefined };

export const NEEDS = ["ideation", "violence", "self-harm"] as const;
export type Need = (typeof NEEDS)[number];

/** Kinds of hints: what by itself is ordinary and beside another kind is not (guide, section 6, "Accumulation"). */
export const HINTS = ["means", "place", "finality", "affairs", "intent", "privacy", "time"] as const;
export type Hint = (typeof HINTS)[number];

export interface Rule {
	id: string;
	score: number;
	level: RLevel;
	also?: Partial<Record<Signal, number | undefined>> | undefined;
	facts?: Facts | undefined;
	needs?: Need | undefined;
	hint?: Hint | undefined;
	alone?: { score: number; level: RLevel } | undefined;
	negatable?: boolean | undefined;
	others?: boolean | undefined;
	explicit?: boolean | undefined;
	patterns: string[];
	unless?: string[] | undefined;
	source: string;
	note?: string | undefined;
	examples: { yes: string[]; no: string[] };
}

export const CUE_KINDS = [
	"negation",
	"pseudo",
	"stop",
	"clause",
	"historical",
	"recent",
	"hypothetical",
	"condition",
	"trivial",
	"ambivalent",
	"other",
	"fiction",
	"roleplay",
	"game",
	"academic",
	"quotation",
	"joke",
	"idiom",
	"sincere",
	"retraction",
	"up",
	"down",
] as const;
export type CueKind = (typeof CUE_KINDS)[number];

export const DIRECTIONS = ["forward", "backward", "both", "overlap", "turn"] as const;

export interface Cue {
	id: string;
	kind: CueKind;
	direction: (typeof DIRECTIONS)[number];
	scope?: number | undefined;
	opens?: boolean | undefined;
	patterns: string[];
	note?: string | undefined;
}

export const TOPICS = [
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
	"taken",
	"attempt",
	"living",
	"safety",
	"unsafe",
	"self-harm",
	"violence",
	"hallucination",
	"last-meal",
	"fed",
	"eating",
	"purging",
	"drinking",
	"drugs",
	"danger",
	"safe-from-others",
	"emergency",
	"other-person",
	"mood",
	"support",
	"standing",
] as const;
/**
 * What a question asks about. "standing": whatever risk was just spoken of ("how often?", "still feeling that way?"); "date": when suicide just spoken of
 * is to be; "means-away": whether means are put out of reach; "purpose": whether a harm was to die by; "taken": what, or how much, was swallowed; "fed":
 * whether the user eats ("eating": whether too little).
 */
export type Topic = (typeof TOPICS)[number];

export interface Question {
	id: string;
	topic: Topic;
	ordinary?: boolean | undefined;
	patterns: string[];
	examples: { yes: string[]; no: string[] };
}

/**
 * "former" and "latter" choose among what was asked; "fine" is a yes to safety and a no to risk; "agree" and "contrary" answer a question that expects a no
 * ("you're not suicidal, right?" "of course", "i am"); "low", "middle" and "high" are points of a scale up to 10; "when", "recent", "past", "days", "heavy",
 * "many" and "only": when it is to be, when it was (now or long ago), how long since, how much a day, how much at once, what is left.
 */
export const ANSWERS = [
	"yes",
	"no",
	"agree",
	"contrary",
	"partly",
	"dodge",
	"not-yet",
	"low",
	"middle",
	"high",
	"former",
	"latter",
	"fine",
	"when",
	"recent",
	"past",
	"days",
	"heavy",
	"many",
	"only",
] as const;
export type Answer = (typeof ANSWERS)[number];

export interface AnswerPatterns {
	answer: Answer;
	patterns: string[];
	examples: { yes: string[]; no: string[] };
}
