import { Automaton, type AutomatonBuilder, type AutomatonData, CLASS_FROM, CLASS_UNTIL, NODE } from "./automaton.js";
import { addWord, MASK, unite } from "./next-words.js";
import { toWordClasses, type WordClassesData } from "./word-classes.js";

/** What a matcher works with, as plain arrays: made once from the lexicon and kept in a file (src/lexicon/compiled.ts). */
export interface MatcherData {
	automaton: AutomatonData;
	/** Phrases that are members of classes; its ids are class symbols. */
	phrases: AutomatonData;
	classes: WordClassesData;
	/** For each word of the vocabulary its column: words that no pattern tells apart share one, and 0 is that of words in no pattern. */
	columns: Int32Array;
}

/** Classes by word, for each word of the vocabulary the symbols of its classes. */
export interface ClassesByWord {
	/** Those that the word is in. */
	ofWord: readonly Int32Array[];
	/** Those that have a phrase which begins with the word. */
	ofFirstWord: readonly Int32Array[];
}

/** What the matchers of one vocabulary share. */
export type SharedData = Pick<MatcherData, "phrases" | "classes">;

export function toSharedData(phrases: AutomatonBuilder, { ofWord }: ClassesByWord): SharedData {
	return { phrases: phrases.freeze(), classes: toWordClasses(ofWord) };
}

/** Freezes what was built. */
export function toMatcherData(builder: AutomatonBuilder, shared: SharedData, classesByWord: ClassesByWord): MatcherData {
	const automaton = builder.freeze();
	addNextWords(automaton, classesByWord);
	return { ...shared, automaton, columns: toColumns([automaton, shared.phrases], classesByWord.ofWord) };
}

/** Words on edges of their own have columns of their own; others share one with those of the same classes. */
function toColumns(automata: readonly AutomatonData[], ofWord: readonly Int32Array[]): Int32Array {
	const onEdges = new Set(automata.flatMap(({ wordSymbols }) => [...wordSymbols]));
	const columnOf = new Map([["", 0]]);
	return Int32Array.from(ofWord, (classes, word) => {
		const key = onEdges.has(word) ? `word ${word}` : classes.join(" ");
		const column = columnOf.get(key) ?? columnOf.size;
		columnOf.set(key, column);
		return column;
	});
}

/** Writes into each node which words can stand next: on an edge, in a class, or first in a phrase of a class. */
function addNextWords(automaton: AutomatonData, { ofWord, ofFirstWord }: ClassesByWord): void {
	const masks = new Map<number, Int32Array>();
	for (const table of [ofWord, ofFirstWord]) {
		table.forEach((classes, word) => {
			for (const symbol of classes) {
				let mask = masks.get(symbol);
				if (mask === undefined) {
					mask = new Int32Array(MASK);
					masks.set(symbol, mask);
				}
				addWord(mask, 0, word);
			}
		});
	}
	const { nodes, classSymbols } = automaton;
	const trie = new Automaton(automaton);
	for (let node = 0; node * NODE < nodes.length; node++) {
		for (const word of trie.wordsFrom(node)) addWord(nodes, node * NODE, word);
		const until = nodes[node * NODE + CLASS_UNTIL] as number;
		for (let edge = nodes[node * NODE + CLASS_FROM] as number; edge < until; edge++) {
			const mask = masks.get(classSymbols[edge] as number);
			if (mask) unite(nodes, node * NODE, mask);
		}
	}
}
