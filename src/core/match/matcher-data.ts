import { ACCEPTS, AT_END, Automaton, type AutomatonBuilder, type AutomatonData, CLASS_FROM, CLASS_UNTIL, GAPS, NODE } from "./automaton.js";
import { addWord, MASK, unite } from "./next-words.js";
import { toWordClasses, type WordClassesData } from "./word-classes.js";

/** What a matcher works with, as plain arrays: made once from the lexicon and kept in a file (src/lexicon/compiled.ts). */
export interface MatcherData {
	automaton: AutomatonData;
	/** Phrases that are members of classes; its ids are class symbols. */
	phrases: AutomatonData;
	classes: WordClassesData;
	/**
	 * Nodes that each word leads to from the root: in `rootChildren`, from `rootFrom` on, mask and number of those that only lead on over edges,
	 * side by side because each word tries them all; in `rootStops`, from `rootStopsFrom` on, the others: mask of the words that any way on needs,
	 * how many words may stand before such a word (-1: the node has to be visited whatever stands there), and number.
	 */
	rootChildren: Int32Array;
	rootFrom: Int32Array;
	rootStops: Int32Array;
	rootStopsFrom: Int32Array;
	/** Nodes of the phrases after their first word (0: none). */
	phraseAfterRoot: Int32Array;
}

/** Numbers of a child of the root that only leads on over edges, and of one that stops. */
export const ROOT_CHILD = MASK + 1;
export const ROOT_STOP = MASK + 2;

/** Classes by word, for each word of the vocabulary the symbols of its classes. */
export interface ClassesByWord {
	/** Those that the word is in. */
	ofWord: readonly Int32Array[];
	/** Those that have a phrase which begins with the word. */
	ofFirstWord: readonly Int32Array[];
}

/** What the matchers of one vocabulary share. */
export type SharedData = Pick<MatcherData, "phrases" | "classes" | "phraseAfterRoot">;

export function toSharedData(phraseBuilder: AutomatonBuilder, { ofWord }: ClassesByWord): SharedData {
	const phrases = phraseBuilder.freeze();
	const trie = new Automaton(phrases);
	return { phrases, classes: toWordClasses(ofWord), phraseAfterRoot: Int32Array.from(ofWord, (_, word) => trie.next(0, word)) };
}

/** Freezes what was built. */
export function toMatcherData(builder: AutomatonBuilder, shared: SharedData, classesByWord: ClassesByWord): MatcherData {
	const automaton = builder.freeze();
	addNextWords(automaton, classesByWord);
	const trie = new Automaton(automaton);
	const rootChildren: number[] = [];
	const rootFrom = [0];
	const rootStops: number[] = [];
	const rootStopsFrom = [0];
	classesByWord.ofWord.forEach((classes, word) => {
		for (const node of [trie.next(0, word), ...Array.from(classes, (symbol) => trie.nextOnClass(0, symbol))]) {
			if (node === 0) continue;
			if (isStop(automaton.nodes, node)) rootStops.push(...waysOn(automaton, node), node);
			else rootChildren.push(...automaton.nodes.subarray(node * NODE, node * NODE + MASK), node);
		}
		rootFrom.push(rootChildren.length);
		rootStopsFrom.push(rootStops.length);
	});
	return {
		...shared,
		automaton,
		rootChildren: Int32Array.from(rootChildren),
		rootFrom: Int32Array.from(rootFrom),
		rootStops: Int32Array.from(rootStops),
		rootStopsFrom: Int32Array.from(rootStopsFrom),
	};
}

/** True for a node that accepts, has a gap or waits for the end of the sentence: it does more than lead on over edges. */
export function isStop(nodes: Int32Array, node: number): boolean {
	const place = node * NODE;
	return ((nodes[place + ACCEPTS] as number) | (nodes[place + GAPS] as number) | (nodes[place + AT_END] as number)) !== 0;
}

/** Mask of the words of which one must stand behind a stop for it to lead on, and how many words may stand before; -1 when none need stand there. */
function waysOn({ nodes, lists }: AutomatonData, node: number): number[] {
	const place = node * NODE;
	const mask = nodes.slice(place, place + MASK);
	let most = 0;
	let mustVisit = nodes[place + ACCEPTS] !== 0 || nodes[place + AT_END] !== 0;
	const gaps = nodes[place + GAPS] as number;
	for (let index = gaps + 1; index <= gaps + (lists[gaps] as number); index += 2) {
		const after = lists[index + 1] as number;
		most = Math.max(most, lists[index] as number);
		mustVisit ||= isStop(nodes, after);
		unite(mask, 0, nodes.subarray(after * NODE, after * NODE + MASK));
	}
	return [...mask, mustVisit ? -1 : most];
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
