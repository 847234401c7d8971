import type { SessionState } from "../../types.js";
import type { Topic } from "../lexicon.js";
import type { IndexedRule, LexiconIndex } from "../match/lexicon-index.js";
import type { MatchBuffer } from "../match/match-buffer.js";
import { severity } from "../risk/levels.js";
import type { TokenBuffer } from "../text/tokens.js";
import { ACTING_TOPICS, EXPLICIT_TOPICS } from "./answer-meanings.js";
import { WORRYING } from "./answers.js";
import { gravestRisk, stands } from "./memory.js";
import { sortMatches } from "./modifiers.js";

/** Words that open a question before "you" and are not turned about with it. */
const DO_FORMS = ["do", "did", "does"] as const;

/** What an assistant's turn asks. */
export interface Asked {
	/** Topics, in the order in which they were asked. */
	topics: string[];
	/** The topics of each alternative ("are you tired, or do you want to die?") or question, where the turn holds several. */
	alternatives?: string[][];
	/** Present where all of it expects a no ("you're not suicidal, right?"). */
	expects?: "no";
}

interface FoundTopic {
	topic: Topic;
	/** Tokens [first, until). */
	first: number;
	until: number;
	/** Counts only where something worrying was said. */
	ordinary: boolean;
	/** Asked as something that is not so ("you don't want to die, do you?"). */
	denied: boolean;
}

/** Questions that anybody's breathing is asked in. */
const WORRIED_TOPICS: ReadonlySet<Topic> = new Set(["emergency"]);

/** "How often?" asks of what the user said in one of the last two turns, a bare "when?" of what was said just before. */
const LONGEST_STANDING = 3;
const LONGEST_FOR_DATE = 1;

/**
 * What an assistant's questions ask: by the lexicon's questions, and by its rules, which read the turn as if the user said it ("do you want to die"
 * as "do i want to die"), where a plain word stands in the mention ("do you want to end it?" asks of calls, too). Changes the words of `tokens`.
 * @param matches of the turn as it stands; the buffer may be used again
 */
export function readQuestions(tokens: TokenBuffer, matches: MatchBuffer, index: LexiconIndex, state: SessionState): Asked {
	const named: FoundTopic[] = [];
	let deaf: ReadonlySet<number> | undefined;
	for (let at = 0; at < matches.count; at++) {
		const item = index.items[matches.id[at] as number];
		if (item?.kind !== "question") continue;
		const first = matches.first[at] as number;
		deaf ??= deafSentences(tokens, index);
		if (tokens.quoted[first] === 0 && !deaf.has(tokens.sentence[first] as number))
			named.push({
				topic: item.topic,
				first,
				until: matches.until[at] as number,
				ordinary: item.ordinary,
				denied: isDenied(tokens, first, matches.until[at] as number, index),
			});
	}
	const found = withoutStatements(withoutInner(named), tokens, index);
	if (tokens.question.subarray(0, tokens.sentences).includes(1) && turnAbout(tokens, index))
		addMentions(found, deaf ?? deafSentences(tokens, index), tokens, index, state);
	return toAsked(found, tokens, index, state);
}

/** Adds the topics of the mentions in questions that were turned about. */
function addMentions(found: FoundTopic[], deaf: ReadonlySet<number>, tokens: TokenBuffer, index: LexiconIndex, state: SessionState): void {
	const { findings } = sortMatches(index.matcher.find(tokens), index, tokens);
	for (const { rule, subject, setAside, first, until } of findings) {
		const sentence = tokens.sentence[first] as number;
		const isHeard = tokens.question[sentence] === 1 && tokens.quoted[first] === 0 && !deaf.has(sentence);
		const isNegated = setAside === "negation";
		if (!isHeard || subject !== "self" || (setAside !== undefined && !isNegated)) continue;
		const isPlain = stands(state, "ideation") || holdsPlainWord(tokens, first, until, index);
		const topic = isPlain ? topicOf(rule) : undefined;
		if (topic !== undefined) found.push({ topic, first, until, ordinary: false, denied: isNegated || isDenied(tokens, first, first, index) });
	}
}

/** True when tokens [first, until) hold a word that speaks plainly of suicide (class `plain-risk`). */
function holdsPlainWord({ word }: TokenBuffer, first: number, until: number, { plain }: LexiconIndex): boolean {
	return word.subarray(first, until).some((one) => plain[one] === 1);
}

function toAsked(found: FoundTopic[], tokens: TokenBuffer, index: LexiconIndex, state: SessionState): Asked {
	// A chat that opens with a bare "do you have a plan?" is no talk of phones.
	const isOpening = state.turns === 0;
	const isPlain = ({ topic, ordinary }: FoundTopic): boolean => (ordinary ? isOpening && topic === "plan" : EXPLICIT_TOPICS.has(topic));
	const isAboutRisk = stands(state, "ideation") || stands(state, "violence") || found.some(isPlain);
	const isWorrying = isAboutRisk || (state.srs ?? 0) >= WORRYING;
	const heard = found
		.sort((a, b) => a.first - b.first)
		.flatMap((one) => {
			const { topic: given, first, ordinary, denied } = one;
			if (given !== "means-away" && ACTING_TOPICS.has(given) && isOffer(tokens, one, index)) return [];
			const topic = nameTopic(given, state);
			// People also ask about flights and haircuts: "when?", "do you have a plan?".
			if (topic === undefined || (ACTING_TOPICS.has(topic) && !isAboutRisk)) return [];
			return isWorrying || !(ordinary || WORRIED_TOPICS.has(topic)) ? [{ topic, first, denied }] : [];
		});
	const topics = [...new Set(heard.map(({ topic }) => topic))];
	if (topics.length === 0) return { topics };
	// "Promise me you won't do it" asks for safety, too.
	const risks = heard.filter(({ topic }) => topic !== "safety");
	if ((risks.length > 0 ? risks : heard).every(({ denied }) => denied)) return { topics, expects: "no" };
	const bounds = alternativeBounds(tokens, index);
	if (bounds.length === 0) return { topics };
	const alternatives: Topic[][] = Array.from({ length: bounds.length + 1 }, () => []);
	for (const { topic, first } of heard) {
		const alternative = alternatives[bounds.filter((bound) => bound <= first).length] as Topic[];
		if (!alternative.includes(topic)) alternative.push(topic);
	}
	return { topics, alternatives };
}

/** How far behind what is asked its object may stand ("have you decided who you could call?"). */
const FURTHEST_OBJECT = 4;

/** True for a question about help ("do you have someone with you?", "a safety plan?", "have you decided to see a doctor?"; class `help`). */
function isOffer(tokens: TokenBuffer, { first, until }: FoundTopic, index: LexiconIndex): boolean {
	if (holdsPlainWord(tokens, first, until, index)) return false;
	const { word, sentence, count } = tokens;
	const { help, noDenial } = index;
	for (let at = first; at < Math.min(until + FURTHEST_OBJECT, count) && sentence[at] === sentence[first]; at++) {
		if (help[word[at] as number] === 1) return true;
		if (at >= until && noDenial[word[at] as number] === 1) return false;
	}
	return false;
}

/** How far before what is asked a "not" may stand ("you are not still really thinking of ..."), and a bare "no" ("no real plan?"). */
const FURTHEST_NOT = 5;
const FURTHEST_NO = 2;

/**
 * True when a question says that what it asks in tokens [first, until) is not so: "you are not suicidal, right?", "no thoughts of suicide?", but not "are you
 * not ...?", "you are not just tired" nor "you can not stop thinking of ..." (class `no-denial`: words that end what a "not" reaches).
 */
function isDenied({ word, sentence }: TokenBuffer, first: number, until: number, { words, auxiliaries, noDenial }: LexiconIndex): boolean {
	const isIn = (at: number): boolean => at >= 0 && sentence[at] === sentence[first];
	const isYou = (at: number): boolean => isIn(at) && (word[at] === words.you || word[at] === words.i);
	const opensQuestion = (at: number): boolean => isIn(at) && (auxiliaries.has(word[at] as number) || DO_FORMS.some((form) => word[at] === words[form]));
	// "You are not suicidal" is one mention from "you" on; what begins otherwise may hold a "not" of its own ("not want to live").
	const last = word[first] === words.you ? until - 1 : first - 1;
	for (let at = last; at > last - FURTHEST_NOT && isIn(at); at--) {
		if (noDenial[word[at] as number] === 1 || isYou(at)) return false;
		const isNo = word[at] === words.no;
		if (!isNo && word[at] !== words.not && word[at] !== words.never) continue;
		if (!isIn(at - 1) || (isNo && last - at < FURTHEST_NO)) return true;
		const you = [at - 1, at - 2].find(isYou);
		return you !== undefined && !opensQuestion(you - 1);
	}
	return false;
}

/** The topic of a question about "it", "that feeling" or "when?" by what stands in the session; undefined where nothing does. */
function nameTopic(topic: Topic, state: SessionState): Topic | undefined {
	if (topic === "standing") return gravestRisk(state, LONGEST_STANDING);
	if (topic === "date") {
		const risk = gravestRisk(state, LONGEST_FOR_DATE);
		return risk === "ideation" || risk === "violence" ? "date" : undefined;
	}
	return topic;
}

/** Alternatives looked at in a turn, more than anybody offers: keeps the cost of hostile text linear. */
const MOST_ALTERNATIVES = 8;

/** Tokens at which the next alternative begins: behind "or" in a question, and at each question but the first. */
function alternativeBounds({ word, sentence, question, count }: TokenBuffer, { words }: LexiconIndex): number[] {
	const bounds: number[] = [];
	let asked = -1;
	for (let at = 0; at < count && bounds.length < MOST_ALTERNATIVES; at++) {
		const here = sentence[at] as number;
		if (question[here] !== 1) continue;
		if (asked !== -1 && (here !== asked || word[at] === words.or)) bounds.push(at);
		asked = here;
	}
	return bounds;
}

/**
 * Sentences that ask the user nothing: those that begin with "if" and are no questions ("if you are thinking of suicide, call 988"), and those that
 * speak of others or of texts (class `not-of-you`: "does the character want to die?").
 */
function deafSentences({ word, sentence, question, count }: TokenBuffer, { words, elsewhere }: LexiconIndex): ReadonlySet<number> {
	const deaf = new Set<number>();
	for (let at = 0; at < count; at++) {
		const here = sentence[at] as number;
		const isCondition = word[at] === words.if && question[here] !== 1 && (at === 0 || sentence[at - 1] !== here);
		if (isCondition || elsewhere[word[at] as number] === 1) deaf.add(here);
	}
	return deaf;
}

/** "Want to live" inside "not want to live" asks the contrary. Topics come by rising first token. */
function withoutInner(found: readonly FoundTopic[]): FoundTopic[] {
	let wishedUntil = 0;
	return found.filter(({ topic, until }) => {
		if (topic === "wish") wishedUntil = Math.max(wishedUntil, until);
		return topic !== "living" || until > wishedUntil;
	});
}

/** Longest question, in words, that asks whether the statement before it is so ("is that how you feel?"). */
const LONGEST_TAG = 7;

/**
 * Where a turn asks something, its statements ask nothing ("stay safe out there! anything else?"), unless they say what the user said ("you told me
 * you want to die. is there a day?") or the last question is a tag.
 */
function withoutStatements(found: FoundTopic[], tokens: TokenBuffer, index: LexiconIndex): FoundTopic[] {
	const { question, sentence, sentences } = tokens;
	if (found.length === 0 || !question.subarray(0, sentences).includes(1)) return found;
	const isInQuestion = ({ first }: FoundTopic): boolean => question[sentence[first] as number] === 1;
	if (!found.some(isInQuestion) && endsWithTag(tokens, index)) return found;
	const echoes = echoingSentences(tokens, index);
	return found.filter((topic) => isInQuestion(topic) || echoes.has(sentence[topic.first] as number));
}

/** Sentences that say to the user what the user has said or thought (class `echo`). */
function echoingSentences({ word, sentence, count }: TokenBuffer, { words, echo }: LexiconIndex): ReadonlySet<number> {
	const addressed = new Set<number>();
	const echoing = new Set<number>();
	for (let at = 0; at < count; at++) {
		if (word[at] === words.you || word[at] === words.your) addressed.add(sentence[at] as number);
		if (echo[word[at] as number] === 1) echoing.add(sentence[at] as number);
	}
	return new Set([...echoing].filter((at) => addressed.has(at)));
}

/** True when the last question is "is that right?", "did you mean it?", "right?" and the like. */
function endsWithTag({ word, sentence, question, count }: TokenBuffer, { tagStart, words }: LexiconIndex): boolean {
	let last = count - 1;
	while (last >= 0 && question[sentence[last] as number] !== 1) last--;
	let first = last;
	while (first > 0 && sentence[first - 1] === sentence[last]) first--;
	if (last < 0 || last - first >= LONGEST_TAG || tagStart[word[first] as number] !== 1) return false;
	return last === first || [words.that, words.this, words.it].includes(word[first + 1] as number);
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

/** Turns "you" into "i", "your" into "my", and "are you" into "i am", word by word; false when nobody is addressed or the lexicon lacks the words. */
function turnAbout({ word, sentence, count }: TokenBuffer, { words, auxiliaries }: LexiconIndex): boolean {
	if (Object.values(words).includes(0)) return false;
	let isAddressed = false;
	for (let at = 0; at < count; at++) {
		if (word[at] === words.you) {
			isAddressed = true;
			word[at] = words.i;
			const isFirst = at === 0 || sentence[at - 1] !== sentence[at];
			const turned = isFirst ? undefined : auxiliaries.get(word[at - 1] as number);
			if (turned !== undefined) {
				word[at - 1] = words.i;
				word[at] = turned;
			} else if (at + 1 < count && word[at + 1] === words.are) word[at + 1] = words.am;
		} else if (word[at] === words.your) word[at] = words.my;
		else if (word[at] === words.yourself) word[at] = words.myself;
	}
	return isAddressed;
}
