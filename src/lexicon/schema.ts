import { z } from "zod";
import { ANSWERS, type AnswerPatterns, CUE_KINDS, type Cue, DIRECTIONS, HINTS, NEEDS, type Question, type RuleFile, TOPICS } from "../core/lexicon.js";
import { ATTEMPTS, IDEATIONS, INTENTS, MEANS, METHODS, PLANS, R_LEVELS, SIGNALS, SUBJECTS, TARGETS, TIMEFRAMES } from "../types.js";

const patterns = z.array(z.string().min(1)).min(1);
const score = z.number().min(0).max(1);
const signal = z.enum(SIGNALS);
const examples = z.strictObject({ yes: z.array(z.string()).min(1), no: z.array(z.string()).min(1) });

/** Imminence facts that a match sets (labelling guide, section 4). */
const facts = z.strictObject({
	subject: z.enum(SUBJECTS).optional(),
	target: z.enum(TARGETS).optional(),
	ideation: z.enum(IDEATIONS).optional(),
	intent: z.enum(INTENTS).optional(),
	plan: z.enum(PLANS).optional(),
	means: z.enum(MEANS).optional(),
	method: z.enum(METHODS).optional(),
	preparation: z.boolean().optional(),
	timeframe: z.enum(TIMEFRAMES).optional(),
	attempt: z.enum(ATTEMPTS).optional(),
	history: z.boolean().optional(),
	protective: z.boolean().optional(),
	danger_from_others: z.boolean().optional(),
});

const rule = z.strictObject({
	/** Unique, dotted: "si.wish.die". */
	id: z.string().regex(/^[a-z]+(\.[a-z0-9-]+)+$/),
	/** Score of the file's signal when affirmed, by the guide's anchors; 0 for rules that only set facts or a level. */
	score,
	/** The turn's level when the mention stands affirmed and alone. */
	level: z.enum(R_LEVELS),
	/** Further signals that the same words express. */
	also: z.partialRecord(signal, score).optional(),
	facts: facts.optional(),
	/** Counts only in the light of what was said, in this turn or earlier in the session. */
	needs: z.enum(NEEDS).optional(),
	/** What a rule that needs ideation hints at: enough hints of different kinds in one turn are ideation. */
	hint: z.enum(HINTS).optional(),
	/** What a rule with `needs` says without it (default: nothing at all). */
	alone: z.strictObject({ score, level: z.enum(R_LEVELS) }).optional(),
	/** False when the words hold their own negation or can not be negated ("no reason to live"). Default true. */
	negatable: z.boolean().optional(),
	/** False when the pattern must not be read about other people ("@i" is then not varied to "@they"). Default true. */
	others: z.boolean().optional(),
	/** True when the words are explicit enough to stand beside a joke marker. */
	explicit: z.boolean().optional(),
	patterns,
	/** Patterns that void a match in the same sentence. */
	unless: patterns.optional(),
	/** Where the rule comes from: an instrument's item, the guide's section, or "usage". */
	source: z.string().min(3),
	note: z.string().optional(),
	/** Texts that must and must not match the rule; they run as tests. */
	examples,
});

/** `en/rules/<signal>.json`: rules whose scores speak of one signal, or of none (facts and levels only). */
export const ruleFileSchema: z.ZodType<RuleFile> = z.strictObject({ signal: signal.nullable(), rules: z.array(rule) });

/** `en/cues.json`: ConText cues (Harkema et al. 2009). */
export const cuesSchema: z.ZodType<Cue[]> = z.array(
	z.strictObject({
		id: z.string().regex(/^[a-z]+(\.[a-z0-9-]+)+$/),
		kind: z.enum(CUE_KINDS),
		/** Which mentions it modifies: those after it, before it, both in its sentence, those that it overlaps, or all of the turn. */
		direction: z.enum(DIRECTIONS),
		/** Most words between cue and mention; the whole sentence when absent. */
		scope: z.int().min(0).max(60).optional(),
		/** The frame goes on in the following turns. */
		opens: z.boolean().optional(),
		patterns,
		note: z.string().optional(),
	}),
);

/** `en/questions.json`: what an assistant asks, as context for the user's next turn. */
export const questionsSchema: z.ZodType<Question[]> = z.array(
	z.strictObject({
		id: z.string().regex(/^q(\.[a-z0-9-]+)+$/),
		topic: z.enum(TOPICS),
		/** Also asked of routers and haircuts: counts only where something worrying was said in the session, or a plain question stands beside it. */
		ordinary: z.boolean().optional(),
		patterns,
		examples,
	}),
);

/** `en/answers.json`: ways of answering a question. */
export const answersSchema: z.ZodType<AnswerPatterns[]> = z.array(z.strictObject({ answer: z.enum(ANSWERS), patterns, examples }));

/** `en/classes.json`: shared classes of words, phrases and other classes. */
export const classTableSchema = z.record(z.string().regex(/^[a-z][a-z0-9-]*$/), z.array(z.string().min(1)).min(1));

/** `en/spellings.json`: other spellings -> the words they stand for. */
export const spellingTableSchema = z.record(z.string().min(1), z.string().min(1));
