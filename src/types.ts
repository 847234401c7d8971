/** The vocabulary of the product: every shape that crosses a room's border. Pure types and constant lists, no behaviour. */

/** The ten signals, in the order in which scores are stored and printed (labelling guide, section 2). */
export const SIGNALS = [
	"suicidal_ideation",
	"self_harm",
	"harm_to_others",
	"hopelessness",
	"depression",
	"anxiety",
	"psychosis",
	"isolation",
	"substance_misuse",
	"disordered_eating",
] as const;
export type Signal = (typeof SIGNALS)[number];
/** Each signal's score in [0, 1]: 0.25 weak, 0.5 clear, 0.75 severe, 0.9 explicit, severe and current. */
export type Scores = Record<Signal, number>;

/** R-levels in increasing order of severity. */
export const R_LEVELS = ["R0", "R1-mid", "R1-high", "R2"] as const;
export type RLevel = (typeof R_LEVELS)[number];

export const ROLES = ["user", "assistant", "system", "tool"] as const;
export type Role = (typeof ROLES)[number];

/** A message in its place, as the core sees it. `content` is never empty at the edges; the core accepts any string. */
export interface Turn {
	role: Role;
	content: string;
}

export const IMMINENCE_LEVELS = ["none", "chronic", "subacute", "urgent", "emergency"] as const;
export const SUBJECTS = ["none", "self", "other"] as const;
export const TARGETS = ["none", "self", "others", "both"] as const;
export const IDEATIONS = ["none", "passive", "active"] as const;
export const INTENTS = ["none", "ambivalent", "stated", "denied"] as const;
export const PLANS = ["none", "vague", "specific"] as const;
export const MEANS = ["none", "mentioned", "accessible"] as const;
export const METHODS = ["none", "overdose", "firearm", "hanging", "cutting", "jumping", "vehicle", "drowning", "gas", "other"] as const;
export const TIMEFRAMES = ["none", "unspecified", "future", "days", "today", "now"] as const;
export const ATTEMPTS = ["none", "historical", "recent", "in_progress"] as const;

/** The facts of section 4 of the labelling guide, without the rollup and the turn numbers. */
export interface ImminenceFacts {
	subject: (typeof SUBJECTS)[number];
	target: (typeof TARGETS)[number];
	ideation: (typeof IDEATIONS)[number];
	intent: (typeof INTENTS)[number];
	plan: (typeof PLANS)[number];
	means: (typeof MEANS)[number];
	method: (typeof METHODS)[number];
	preparation: boolean;
	timeframe: (typeof TIMEFRAMES)[number];
	attempt: (typeof ATTEMPTS)[number];
	history: boolean;
	protective: boolean;
	danger_from_others: boolean;
}
export type ImminenceField = keyof ImminenceFacts;
/** Turn numbers (0-based place in the session) of the turn that set each field; fields that are not set are absent. */
export type Since = Partial<Record<ImminenceField | "level", number>>;
export interface Imminence extends ImminenceFacts {
	level: (typeof IMMINENCE_LEVELS)[number];
	since: Since;
}

export const COVERAGES = ["full", "partial", "none"] as const;
/** How much of the turn the scorer could read. `none` is never to be shown as safe. */
export type Coverage = (typeof COVERAGES)[number];

/** One reason for a score. `content.slice(start, end) === text`, offsets in UTF-16 units of the original content. */
export interface Evidence {
	/** Null where a mention speaks of no signal and still moves level or imminence (danger from others, someone else at risk). */
	signal: Signal | null;
	start: number;
	end: number;
	text: string;
	/** Rule id, or `model` when the statistical model alone speaks. */
	rule: string;
	/** Names of the modifiers that applied, e.g. `intensity:up`, `temporality:recent`. */
	modifiers: string[];
	/** What this piece adds to the signal's score; the contributions of a signal add up to its score. */
	contribution: number;
}

/** A candidate that was seen and set aside (`explain --why-not`). `reason` names the modifier that set it aside. */
export interface SetAside extends Evidence {
	reason: string;
}

export interface ScorerVersion {
	name: string;
	version: string;
	/** First 12 hex digits of a SHA-256 over the lexicon files. */
	lexicon: string;
	/** First 12 hex digits of a SHA-256 over the model file; `none` without a model. */
	model: string;
}

/** What the fold says of one turn. */
export interface Label {
	/** Risk of the turn in [0, 1]; `r_level` is `prs` cut at the policy's thresholds. */
	prs: number;
	r_level: RLevel;
	scores: Scores;
	imminence: Imminence;
	/** Rolled-up risk of the session after this turn, in [0, 1], never falling; null until the first turn. */
	session_srs: number;
	session_r_level: RLevel;
	evidence: Evidence[];
	/** ISO 639-1 code, or `und` when undetermined. */
	language: string;
	coverage: Coverage;
	scorer_version: ScorerVersion;
}

/** Thresholds that cut `prs` and `session_srs` into R-levels; `R0` lies below `R1-mid`. */
export interface Policy {
	name: string;
	thresholds: { "R1-mid": number; "R1-high": number; R2: number };
}

/**
 * Everything the fold has to remember between two turns of a session: small, plain JSON, versioned.
 * Programs store and return it; they never look inside.
 */
export interface SessionState {
	version: 1;
	/** Number of turns folded so far = the 0-based place of the next turn. */
	turns: number;
	/** Session risk so far in [0, 1]; null before the first turn. */
	srs: number | null;
	/** Exponentially weighted mean of the user turns' prs. */
	mean: number;
	/** Facts carried by the session, with the turns that set them. */
	facts: ImminenceFacts;
	since: Since;
	/** Frame opened by an earlier turn, if any, and the turn that opened it. */
	frame: string | null;
	/** Topics of the last assistant turn's questions, in the order in which they were asked. */
	asked: string[];
	/** Topics of each alternative that it offered ("this, or that?"), for "the second one"; absent where it offered none. */
	alternatives?: string[][];
	/** "no" where its questions expect a no ("you're not going to hurt yourself, right?"); absent otherwise. */
	expects?: "no";
	/** Small counters and flags of the context rules. */
	memory: Record<string, number>;
	/** What the last turns add to the model's outputs and hidden units for the next one; absent without a model. No text can be read from it. */
	before?: { user?: number[]; assistant?: number[] };
}

export interface StepResult {
	label: Label;
	state: SessionState;
}

/** `explain` adds what was set aside, and the ordered steps of the decision in words (no message text beyond evidence). */
export interface Explanation extends StepResult {
	set_aside: SetAside[];
	steps: string[];
}

/** The scoring core, ready to use: a pure synchronous fold. Make it with `createScorer`. */
export interface Scorer {
	readonly version: ScorerVersion;
	readonly policy: Policy;
	/** First state of a session. */
	start(): SessionState;
	/** Folds one turn; never throws, whatever the text; never changes `state`. */
	step(state: SessionState, turn: Turn): StepResult;
	/** Like `step`, with the reasons spelt out. Slower. */
	explain(state: SessionState, turn: Turn): Explanation;
}
