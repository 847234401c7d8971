import type { SessionState } from "../../types.js";
import type { Answer, Topic } from "../lexicon.js";
import type { LexiconIndex } from "../match/lexicon-index.js";
import type { MatchBuffer } from "../match/match-buffer.js";
import { ACTING_TOPICS, EXPLICIT_TOPICS, GRAVITY, MEANINGS, type Meaning, RECENTLY_TAKEN, SUICIDE_TOPICS, si, TAKEN } from "./answer-meanings.js";
import { stands } from "./memory.js";

/** Risk of the session from which something worrying was said: that of R1-mid. */
export const WORRYING = 0.25;

/** What a short answer says, read with the question before it. */
export interface AnswerReading extends Meaning {
	topic: Topic;
	answer: Answer;
	/** The turn holds nothing but the answer. */
	isWhole: boolean;
}

/** Longest turn, in words, that is still read as an answer to the question before it. */
export const LONGEST_ANSWER = 14;

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
	const { answer, topics } = chosen(said.answer, state);
	const isWhole = first === 0 && until === tokenCount;
	for (const topic of GRAVITY) {
		if (!topics.includes(topic)) continue;
		const meaning = meaningOf(topic, answer);
		if (meaning !== undefined) return inSession({ topic, answer, ...meaning, isWhole }, state);
	}
	return undefined;
}

/** What an answer says of a topic; "last night" or "today" is a yes where the time makes no difference. */
function meaningOf(topic: (typeof GRAVITY)[number], answer: Answer): Meaning | undefined {
	const meanings = MEANINGS[topic];
	return meanings[answer] ?? (answer === "recent" ? meanings.yes : undefined);
}

interface Said {
	answer: Answer;
	/** Tokens [first, until). */
	first: number;
	until: number;
}

/**
 * "The second one" says yes to the last alternative, "the first" to the first; "i'm fine" is a yes to safety and a no to risk. "You're not suicidal, right?"
 * is denied by "of course" as by "no", and affirmed by "i am".
 */
function chosen(answer: Answer, { asked, alternatives, expects }: SessionState): { answer: Answer; topics: readonly string[] } {
	if (answer === "agree" || (answer === "fine" && expects === "no")) return { answer: "no", topics: asked };
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
const SPECIAL: ReadonlySet<Answer> = new Set(["agree", "contrary", "middle", "when", "recent", "past", "days", "heavy", "many", "only"]);

/** The answer that stands first in the turn; of those that begin together, the longest, and a special one before others ("the 2nd"). */
function firstAnswer(matches: MatchBuffer, index: LexiconIndex, state: SessionState): Said | undefined {
	let best: Answer | undefined;
	let first = Number.MAX_SAFE_INTEGER;
	let until = 0;
	for (let at = 0; at < matches.count; at++) {
		const item = index.items[matches.id[at] as number];
		if (item?.kind !== "answer") continue;
		const isSpecial = SPECIAL.has(item.answer);
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
	if (answer === "agree" || answer === "contrary") return expects === "no";
	return GRAVITY.some((topic) => asked.includes(topic) && meaningOf(topic, answer) !== undefined);
}

/**
 * Settled cases that look at the session: denying a plan keeps the ideation, "not safe" or "yes, i took some" after ideation is R2; after violent
 * talk a plan is one of violence.
 */
function inSession(reading: AnswerReading, state: SessionState): AnswerReading {
	const { topic, answer } = reading;
	const hasIdeation = stands(state, "ideation");
	const hasTaken = topic === "taken" && answer !== "no" && answer !== "dodge";
	if (hasTaken && (hasIdeation || state.asked.some((other) => SUICIDE_TOPICS.has(other))))
		return { ...reading, ...(answer === "recent" ? RECENTLY_TAKEN : TAKEN) };
	if (hasTaken && (state.srs ?? 0) >= WORRYING) return { ...reading, ...si(0.5, 2, {}) };
	if (!hasIdeation && !stands(state, "violence")) return reading;
	const isOfMeans = topic === "means" || topic === "means-away";
	const isDenied = (answer === "no" || answer === "low") && ACTING_TOPICS.has(topic) && !isOfMeans;
	const kept = isDenied ? { ...reading, score: 0.6, level: 2 } : reading;
	if (!hasIdeation) return ACTING_TOPICS.has(topic) && !state.asked.some((other) => EXPLICIT_TOPICS.has(other)) ? asViolence(kept) : reading;
	const isUnsafe = ((answer === "no" || answer === "low") && topic === "safety") || (answer === "yes" && topic === "unsafe");
	if (isUnsafe) return { ...reading, score: 0.85, level: 3 };
	return kept;
}

/** Ideation is about suicide only (guide, "Which fields speak of whom"). */
function asViolence(reading: AnswerReading): AnswerReading {
	const { ideation: _ideation, ...facts } = reading.facts;
	return { ...reading, signal: reading.signal && "harm_to_others", facts: { ...facts, target: "others" } };
}
