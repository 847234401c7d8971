import { ACCEPTS, AT_END, Automaton, CLASS_FROM, CLASS_UNTIL, GAPS, NODE } from "./automaton.js";
import type { MatcherData } from "./matcher-data.js";
import { addWord, MASK, mayHold, unite } from "./next-words.js";
import { HEAD } from "./state-store.js";
import { WordClasses } from "./word-classes.js";

/** A position is a node and how many more words the gap before it may skip (at most 8, `pattern.ts`), or, below 0, a place inside a phrase. */
const SKIPS = 16;

/** Follows positions in the patterns over a word, all of them at once, and writes down what a state holds (`state-store.ts`). */
export class Positions {
	private readonly automaton: Automaton;
	private readonly phrases: Automaton;
	private readonly classes: WordClasses;
	/** Nodes that each class leads to from the root, which has too many class edges to try in turn. */
	private readonly afterRoot = new Map<number, number>();
	/** Places inside phrases that are members of classes, numbered once and for all (there are no more than the lexicon has): the node of the phrase, and the node that waits for the class. */
	private readonly pairs = new Map<number, number>();
	private readonly pairPhrase: number[] = [];
	private readonly pairNode: number[] = [];
	/** For each node of the phrases the classes of the phrases that go on from it, once asked for. */
	private readonly symbols: (readonly number[])[] = [];

	/** What has been reached: nodes and the words that may be skipped before them, places inside phrases (pairs), and ids. */
	private readonly nodes = new Map<number, number>();
	private readonly inPhrases = new Set<number>();
	private readonly accepted = new Set<number>();
	private readonly acceptedAtEnd = new Set<number>();
	/** The same as numbers; see `write`. */
	numbers = new Int32Array(1 << 12);

	constructor(data: Pick<MatcherData, "automaton" | "phrases" | "classes">) {
		this.automaton = new Automaton(data.automaton);
		this.phrases = new Automaton(data.phrases);
		this.classes = new WordClasses(data.classes);
		const { nodes, classSymbols, classChildren } = data.automaton;
		for (let edge = nodes[CLASS_FROM] as number; edge < (nodes[CLASS_UNTIL] as number); edge++)
			this.afterRoot.set(classSymbols[edge] as number, classChildren[edge] as number);
	}

	/** Reaches the root, at the start of a sentence also where patterns anchored there begin. */
	begin(isFirst: boolean): void {
		this.reach(0, 0);
		if (isFirst && this.automaton.atStart !== 0) this.reach(this.automaton.atStart, 0);
	}

	/** Reaches what one position leads to over `word`. */
	advance(position: number, word: number): void {
		if (position < 0) {
			this.advanceInPhrase(-1 - position, word);
			return;
		}
		const node = Math.floor(position / SKIPS);
		const skips = position % SKIPS;
		if (skips > 0) this.reach(node, skips - 1);
		const { automaton, phrases, classes } = this;
		const { nodes, classSymbols, classChildren } = automaton;
		if (!mayHold(nodes, node * NODE, word)) return;
		const child = automaton.next(node, word);
		if (child !== 0) this.reach(child, 0);
		const from = nodes[node * NODE + CLASS_FROM] as number;
		const until = nodes[node * NODE + CLASS_UNTIL] as number;
		for (let edge = from; edge < until; edge++) if (classes.has(word, classSymbols[edge] as number)) this.reach(classChildren[edge] as number, 0);
		if (until > from) this.reachInPhrase(phrases.next(0, word), node);
	}

	/** The same for a place inside a phrase: a further one, and the nodes behind the classes whose phrase is complete. */
	private advanceInPhrase(pair: number, word: number): void {
		const { nodes, lists } = this.phrases;
		const node = this.pairNode[pair] as number;
		const phrase = this.phrases.next(this.pairPhrase[pair] as number, word);
		if (phrase === 0) return;
		const ids = nodes[phrase * NODE + ACCEPTS] as number;
		const last = ids + (lists[ids] as number);
		for (let at = ids + 1; at <= last; at++) {
			const child = this.nextOnClass(node, lists[at] as number);
			if (child !== 0) this.reach(child, 0);
		}
		this.reachInPhrase(phrase, node);
	}

	private nextOnClass(node: number, symbol: number): number {
		return node === 0 ? (this.afterRoot.get(symbol) ?? 0) : this.automaton.nextOnClass(node, symbol);
	}

	/** Reaches a place inside a phrase (0: none) unless no phrase that goes on from there is of a class that `node` waits for. */
	private reachInPhrase(phrase: number, node: number): void {
		if (phrase === 0 || !this.symbolsAfter(phrase).some((symbol) => this.nextOnClass(node, symbol) !== 0)) return;
		const key = phrase * (this.automaton.nodes.length / NODE) + node;
		let pair = this.pairs.get(key);
		if (pair === undefined) {
			pair = this.pairs.size;
			this.pairs.set(key, pair);
			this.pairPhrase.push(phrase);
			this.pairNode.push(node);
		}
		this.inPhrases.add(pair);
	}

	private symbolsAfter(phrase: number): readonly number[] {
		let known = this.symbols[phrase];
		if (known === undefined) {
			const { nodes, lists } = this.phrases;
			const symbols = new Set<number>();
			for (const child of this.phrases.childrenOf(phrase)) {
				addList(symbols, lists, nodes[child * NODE + ACCEPTS] as number);
				for (const symbol of this.symbolsAfter(child)) symbols.add(symbol);
			}
			known = [...symbols];
			this.symbols[phrase] = known;
		}
		return known;
	}

	/** Reaches a node with the words that may be skipped before it, and what follows it without a word: ids, gaps, the end of the sentence. */
	private reach(node: number, skips: number): void {
		const known = this.nodes.get(node);
		if (known !== undefined && known >= skips) return;
		this.nodes.set(node, skips);
		if (known !== undefined) return;
		const { nodes, lists } = this.automaton;
		addList(this.accepted, lists, nodes[node * NODE + ACCEPTS] as number);
		const end = nodes[node * NODE + AT_END] as number;
		if (end !== 0) addList(this.acceptedAtEnd, lists, nodes[end * NODE + ACCEPTS] as number);
		const gaps = nodes[node * NODE + GAPS] as number;
		const last = gaps + (lists[gaps] as number);
		for (let at = gaps + 1; at <= last; at += 2) this.reach(lists[at + 1] as number, lists[at] as number);
	}

	/** Writes what has been reached into `numbers`, as a state holds it, and begins anew; returns how many numbers there are. */
	write(): number {
		const { nodes, inPhrases, accepted, acceptedAtEnd } = this;
		const most = HEAD + accepted.size + acceptedAtEnd.size + nodes.size + inPhrases.size;
		if (most > this.numbers.length) this.numbers = new Int32Array(2 * most);
		const { numbers } = this;
		const ids = this.list(accepted, HEAD);
		for (const id of accepted) acceptedAtEnd.delete(id);
		const idsAtEnd = this.list(acceptedAtEnd, ids);
		let until = idsAtEnd;
		for (const pair of inPhrases) numbers[until++] = -1 - pair;
		for (const [node, skips] of nodes) if (skips > 0 || this.automaton.hasEdges(node)) numbers[until++] = node * SKIPS + skips;
		numbers.subarray(idsAtEnd, until).sort();
		numbers[0] = ids - HEAD;
		numbers[1] = idsAtEnd - ids;
		numbers[2] = until - idsAtEnd;
		nodes.clear();
		inPhrases.clear();
		accepted.clear();
		acceptedAtEnd.clear();
		return until;
	}

	/** Writes ids in order into `numbers`; returns the place behind the last. */
	private list(ids: ReadonlySet<number>, from: number): number {
		let until = from;
		for (const id of ids) this.numbers[until++] = id;
		if (until > from + 1) this.numbers.subarray(from, until).sort();
		return until;
	}

	/** Writes the words that lead one of the positions on over an edge (`next-words.ts`) to the mask that begins at `from`. */
	writeMask(positions: Int32Array, masks: Int32Array, from: number): void {
		const { phrases, automaton } = this;
		masks.fill(0, from, from + MASK);
		for (const position of positions) {
			if (position < 0) for (const word of phrases.wordsFrom(this.pairPhrase[-1 - position] as number)) addWord(masks, from, word);
			else {
				const node = Math.floor(position / SKIPS) * NODE;
				unite(masks, from, automaton.nodes.subarray(node, node + MASK));
			}
		}
	}
}

/** Adds the numbers of one of an automaton's lists. */
function addList(to: Set<number>, lists: Int32Array, list: number): void {
	const last = list + (lists[list] as number);
	for (let at = list + 1; at <= last; at++) to.add(lists[at] as number);
}
