import type { Signal } from "../../types.js";
import type { Answer, Cue, Lexicon, Rule, Topic } from "../lexicon.js";
import { Vocabulary, type VocabularyData } from "../text/vocabulary.js";
import { AutomatonBuilder } from "./automaton.js";
import { PatternCompiler } from "./compile.js";
import { Matcher } from "./find.js";
import type { MatcherData } from "./matcher-data.js";

/** What a pattern id stands for. */
export type Item =
	| { kind: "rule"; rule: IndexedRule; subject: "self" | "other" }
	| { kind: "unless"; rule: IndexedRule }
	| { kind: "cue"; cue: Cue }
	| { kind: "question"; topic: Topic; ordinary: boolean }
	| { kind: "answer"; answer: Answer };

export interface IndexedRule extends Rule {
	/** Signal of the rule's file; null for rules that only set facts or a level. */
	signal: Signal | null;
	/** Number of the rule, for arrays. */
	index: number;
}

/** A lexicon compiled to two automata, as plain data: made once, kept in a file (src/lexicon/compiled.ts). */
export interface CompiledLexicon {
	vocabulary: VocabularyData;
	/** What counts by itself: mentions, questions, answers, and the cues that speak of the whole turn. */
	matcher: MatcherData;
	/** What counts only beside a mention, of which fourteen turns in fifteen of ordinary talk have none: look-alikes, and all cues. */
	surroundings: MatcherData;
	items: Item[];
	rules: IndexedRule[];
	/** 1 for each vocabulary id that is a common English word or stands in the lexicon. */
	english: Uint8Array;
	/** 1 for each vocabulary id that names somebody else ("he", "my sister"). */
	thirdPerson: Uint8Array;
	/** 1 for "i", "me", "my", "myself". */
	speaker: Uint8Array;
	/** 1 for the words of the class `plain-risk`, `not-of-you`, `tag-start`, `echo`, `no-denial` and `help`: see src/core/context/questions.ts. */
	plain: Uint8Array;
	elsewhere: Uint8Array;
	tagStart: Uint8Array;
	echo: Uint8Array;
	noDenial: Uint8Array;
	help: Uint8Array;
}

/** A compiled lexicon at work; one a scorer, because matchers are used turn after turn. */
export interface LexiconIndex extends Omit<CompiledLexicon, "vocabulary" | "matcher" | "surroundings"> {
	vocabulary: Vocabulary;
	matcher: Matcher;
	surroundings: Matcher;
	words: NamedWords;
	/** What stands before "you" in a question -> what stands behind "i" in a statement ("are" -> "am"), as vocabulary ids. */
	auxiliaries: ReadonlyMap<number, number>;
}

/** Words by which a question is read as what the user would say. */
const NAMED_WORDS = [
	"i",
	"my",
	"myself",
	"am",
	"are",
	"you",
	"your",
	"yourself",
	"if",
	"or",
	"that",
	"this",
	"it",
	"not",
	"never",
	"no",
	"do",
	"did",
	"does",
] as const;
/** Their vocabulary ids, 0 for a word that the lexicon does not know. */
type NamedWords = Record<(typeof NAMED_WORDS)[number], number>;

const SAME_AUXILIARIES = ["have", "had", "would", "could", "will", "can", "should", "might"];

export function toIndex(compiled: CompiledLexicon): LexiconIndex {
	const vocabulary = new Vocabulary(compiled.vocabulary);
	return {
		...compiled,
		vocabulary,
		words: Object.fromEntries(NAMED_WORDS.map((word) => [word, vocabulary.id(word)])) as NamedWords,
		auxiliaries: new Map([
			...SAME_AUXILIARIES.map((word): [number, number] => [vocabulary.id(word), vocabulary.id(word)]),
			[vocabulary.id("are"), vocabulary.id("am")],
			[vocabulary.id("were"), vocabulary.id("was")],
		]),
		matcher: new Matcher(compiled.matcher),
		surroundings: new Matcher(compiled.surroundings),
	};
}

/** True for a cue that is heard without any mention: it opens or breaks a frame, or takes something back. */
function isOfWholeTurn({ kind, opens }: Cue): boolean {
	return opens === true || kind === "sincere" || kind === "retraction";
}

/** How a pattern about the speaker reads about somebody else. */
const OTHERS: Record<string, string> = { "@i": "@they", "@my": "@their", "@me": "@them", "@myself": "@themself", "@mine": "@theirs" };

/** Compiles a lexicon. Throws `invalid_lexicon` naming rule and pattern. */
export function compileLexicon(lexicon: Lexicon): CompiledLexicon {
	const compiler = new PatternCompiler(lexicon.classes, lexicon.spellings);
	const byThemselves = new AutomatonBuilder();
	const besideMentions = new AutomatonBuilder();
	const items: Item[] = [];
	const add = (patterns: readonly string[], item: Item, automaton = byThemselves): void => {
		const id = items.push(item) - 1;
		for (const pattern of patterns) compiler.add(pattern, id, automaton);
	};
	const rules: IndexedRule[] = [];
	for (const file of lexicon.rules) {
		for (const rule of file.rules) {
			const indexed = { ...rule, signal: file.signal, index: rules.length };
			rules.push(indexed);
			add(rule.patterns, { kind: "rule", rule: indexed, subject: rule.facts?.subject === "other" ? "other" : "self" });
			if (rule.others !== false) {
				const varied = rule.patterns.map(aboutOthers).filter((pattern) => pattern !== undefined);
				if (varied.length > 0) add(varied, { kind: "rule", rule: indexed, subject: "other" });
			}
			if (rule.unless) add(rule.unless, { kind: "unless", rule: indexed }, besideMentions);
		}
	}
	for (const cue of lexicon.cues) {
		add(cue.patterns, { kind: "cue", cue }, besideMentions);
		if (isOfWholeTurn(cue)) add(cue.patterns, { kind: "cue", cue });
	}
	for (const { topic, ordinary = false, patterns } of lexicon.questions) add(patterns, { kind: "question", topic, ordinary });
	for (const { answer, patterns } of lexicon.answers) add(patterns, { kind: "answer", answer });
	for (const word of lexicon.words) compiler.vocabulary.add(word);
	const mark = (words: readonly string[]): Uint8Array => {
		const marks = new Uint8Array(compiler.vocabulary.words.length);
		for (const word of words) marks[compiler.vocabulary.id(word)] = 1;
		marks[0] = 0;
		return marks;
	};
	const thirdPerson = mark(["they", "them", "their", "themself"].flatMap((name) => wordsOf(name, lexicon)));
	const speaker = mark(["i", "me", "my", "myself"]);
	const plain = mark(wordsOf("plain-risk", lexicon));
	const elsewhere = mark(wordsOf("not-of-you", lexicon));
	const tagStart = mark(wordsOf("tag-start", lexicon));
	const echo = mark(wordsOf("echo", lexicon));
	const noDenial = mark(wordsOf("no-denial", lexicon));
	const help = mark(wordsOf("help", lexicon));
	const english = new Uint8Array(compiler.vocabulary.words.length).fill(1);
	const [matcher, surroundings] = compiler.finish(byThemselves, besideMentions);
	return {
		vocabulary: compiler.vocabulary.freeze(),
		matcher,
		surroundings,
		items,
		rules,
		english,
		thirdPerson,
		speaker,
		plain,
		elsewhere,
		tagStart,
		echo,
		noDenial,
		help,
	};
}

/** The pattern with the speaker replaced by another person; undefined when it does not name the speaker as its subject. */
function aboutOthers(pattern: string): string | undefined {
	if (!/@(i|myself)\b/.test(pattern)) return undefined;
	return pattern.replace(/@[a-z-]+/g, (name) => OTHERS[name] ?? name);
}

/** Single words of a class and of the classes in it. */
function wordsOf(name: string, lexicon: Lexicon): string[] {
	return (lexicon.classes[name] ?? []).flatMap((member) => (member.startsWith("@") ? wordsOf(member.slice(1), lexicon) : member.includes(" ") ? [] : [member]));
}
