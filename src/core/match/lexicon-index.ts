import type { Signal } from "../../types.js";
import type { Answer, Cue, Lexicon, Rule, Topic } from "../lexicon.js";
import type { Vocabulary } from "../text/vocabulary.js";
import { PatternCompiler } from "./compile.js";
import { Matcher } from "./find.js";

/** What a pattern id stands for. */
export type Item =
	| { kind: "rule"; rule: IndexedRule; subject: "self" | "other" }
	| { kind: "unless"; rule: IndexedRule }
	| { kind: "cue"; cue: Cue }
	| { kind: "question"; topic: Topic }
	| { kind: "answer"; answer: Answer };

export interface IndexedRule extends Rule {
	/** Signal of the rule's file; null for rules that only set facts or a level. */
	signal: Signal | null;
	/** Number of the rule, for arrays. */
	index: number;
}

/** A lexicon compiled to one automaton. */
export interface LexiconIndex {
	vocabulary: Vocabulary;
	matcher: Matcher;
	items: Item[];
	rules: IndexedRule[];
	/** 1 for each vocabulary id that is a common English word or stands in the lexicon. */
	english: Uint8Array;
	/** 1 for each vocabulary id that names somebody else ("he", "my sister"). */
	thirdPerson: Uint8Array;
	/** 1 for "i", "me", "my", "myself". */
	speaker: Uint8Array;
}

/** How a pattern about the speaker reads about somebody else. */
const OTHERS: Record<string, string> = { "@i": "@they", "@my": "@their", "@me": "@them", "@myself": "@themself", "@mine": "@theirs" };

/** Compiles a lexicon. Throws `invalid_lexicon` naming rule and pattern. */
export function indexLexicon(lexicon: Lexicon): LexiconIndex {
	const compiler = new PatternCompiler(lexicon.classes, lexicon.spellings);
	const items: Item[] = [];
	const add = (patterns: readonly string[], item: Item): void => {
		const id = items.push(item) - 1;
		for (const pattern of patterns) compiler.add(pattern, id);
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
			if (rule.unless) add(rule.unless, { kind: "unless", rule: indexed });
		}
	}
	for (const cue of lexicon.cues) add(cue.patterns, { kind: "cue", cue });
	for (const { topic, patterns } of lexicon.questions) add(patterns, { kind: "question", topic });
	for (const { answer, patterns } of lexicon.answers) add(patterns, { kind: "answer", answer });
	for (const word of lexicon.words) compiler.vocabulary.add(word);
	const thirdPerson = new Uint8Array(compiler.vocabulary.words.length);
	for (const word of ["they", "them", "their", "themself"].flatMap((name) => wordsOf(name, lexicon))) thirdPerson[compiler.vocabulary.id(word)] = 1;
	thirdPerson[0] = 0;
	const speaker = new Uint8Array(compiler.vocabulary.words.length);
	for (const word of ["i", "me", "my", "myself"]) speaker[compiler.vocabulary.id(word)] = 1;
	const english = new Uint8Array(compiler.vocabulary.words.length).fill(1);
	return { vocabulary: compiler.vocabulary, matcher: new Matcher(compiler.finish()), items, rules, english, thirdPerson, speaker };
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
