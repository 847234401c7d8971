import type { SessionState } from "../../types.js";
import type { Topic } from "../lexicon.js";
import type { IndexedRule, LexiconIndex } from "../match/lexicon-index.js";
import type { MatchBuffer } from "../match/match-buffer.js";
import { severity } from "../risk/levels.js";
import type { TokenBuffer } from "../text/tokens.js";
import type { Standing } from "./finding.js";
import { sortMatches } from "./modifiers.js";

/** Questions that people also ask about flights and haircuts ("when?", "do you have a plan?"): they count only where suicide is spoken of. */
const ORDINARY_TOPICS: ReadonlySet<Topic> = new Set(["plan", "method", "means", "time", "intent"]);
const EXPLICIT_TOPICS: readonly Topic[] = ["ideation", "wish", "purpose", "attempt", "living"];

/** What stands affirmed, from the counters of a session's state. */
export function standingIn({ memory }: SessionState): Standing {
	const stands = (risk: string): boolean => (memory[risk] ?? 0) > 0;
	return { ideation: stands("ideation"), violence: stands("violence"), selfHarm: stands("self-harm") };
}

/**
 * Topics of an assistant's questions, in the order in which they were asked: by the lexicon's questions, and by its rules, which read the turn
 * as if the user said it ("do you want to die" as "do i want to die"), where the mention holds a plain word ("do you want to end it?" asks of calls,
 * too). Changes the words of `tokens`.
 * @param matches of the turn as it stands; the buffer may be used again
 */
export function askedTopics(tokens: TokenBuffer, matches: MatchBuffer, index: LexiconIndex, standing: Standing): string[] {
	const asked: { topic: Topic; first: number }[] = [];
	const isAsked = toAskedSentences(tokens, index);
	for (let at = 0; at < matches.count; at++) {
		const item = index.items[matches.id[at] as number];
		const first = matches.first[at] as number;
		if (item?.kind === "question" && tokens.quoted[first] === 0 && isAsked(first)) asked.push({ topic: item.topic, first });
	}
	if (tokens.question.subarray(0, tokens.sentences).includes(1) && turnAbout(tokens, index)) {
		const { findings } = sortMatches(index.matcher.find(tokens), index, tokens);
		for (const { rule, subject, setAside, first, until } of findings) {
			const isQuestion = tokens.question[tokens.sentence[first] as number] === 1 && tokens.quoted[first] === 0;
			const isPlain = standing.ideation || tokens.word.subarray(first, until).some((word) => index.words.grave.has(word));
			if (!isQuestion || !isPlain || subject !== "self" || setAside !== undefined) continue;
			const topic = topicOf(rule);
			if (topic !== undefined) asked.push({ topic, first });
		}
	}
	const topics = new Set(asked.sort((a, b) => a.first - b.first).map(({ topic }) => (topic === "standing" ? standingTopic(standing) : topic)));
	const isAboutRisk = standing.ideation || standing.violence || EXPLICIT_TOPICS.some((topic) => topics.has(topic)) || topics.has("violence");
	return [...topics].filter((topic) => topic !== undefined && (isAboutRisk || !ORDINARY_TOPICS.has(topic))) as Topic[];
}

/** What a question about "it" or "that feeling" is about. */
function standingTopic({ ideation, violence, selfHarm }: Standing): Topic | undefined {
	if (ideation) return "ideation";
	if (selfHarm) return "self-harm";
	return violence ? "violence" : undefined;
}

/** Tells of a token whether its sentence may ask: "if you are thinking of suicide, call 988" does not, unless it ends with a question mark. */
function toAskedSentences(tokens: TokenBuffer, { words }: LexiconIndex): (token: number) => boolean {
	return (token) => {
		const sentence = tokens.sentence[token] as number;
		if (tokens.question[sentence] === 1) return true;
		let first = token;
		while (first > 0 && tokens.sentence[first - 1] === sentence) first--;
		return tokens.word[first] !== words.if;
	};
}

/** The topic of a question that holds a mention, were it the user's own; undefined for what says nothing by itself. */
function topicOf({ signal, facts, level, needs, explicit }: IndexedRule): Topic | undefined {
	if (severity(level) < 2 || needs !== undefined) return undefined;
	if (signal === "self_harm") return "self-harm";
	if (signal !== "suicidal_ideation" || explicit !== true) return undefined;
	if (level === "R2") return "intent";
	if (facts?.attempt !== undefined) return "attempt";
	return facts?.ideation === "passive" ? "wish" : "ideation";
}

/** Turns "you" into "i", "your" into "my", and "are you" into "i am", word by word; false when nobody is addressed. */
function turnAbout({ word, count }: TokenBuffer, { words }: LexiconIndex): boolean {
	let isAddressed = false;
	for (let at = 0; at < count; at++) {
		if (word[at] === words.you) {
			isAddressed = true;
			word[at] = words.i;
			const before = at > 0 ? words.auxiliaries.get(word[at - 1] as number) : undefined;
			if (before !== undefined) {
				word[at - 1] = words.i;
				word[at] = before;
			} else if (at + 1 < count && word[at + 1] === words.are) word[at + 1] = words.am;
		} else if (word[at] === words.your) word[at] = words.my;
		else if (word[at] === words.yourself) word[at] = words.myself;
	}
	return isAddressed;
}
