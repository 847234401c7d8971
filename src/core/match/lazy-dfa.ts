import { ACCEPTS, AT_END, Automaton, CLASS_FROM, CLASS_UNTIL, GAPS, NODE } from "./automaton.js";
import type { MatchBuffer } from "./match-buffer.js";
import type { MatcherData } from "./matcher-data.js";
import { addWord, MASK, mayHold, unite } from "./next-words.js";
import { WordClasses } from "./word-classes.js";

/** Bits beside a state's number that say what there is to look at, which is seldom anything: it goes on, it accepts, it does at the end of a sentence. */
export const GOES_ON = 1;
export const ACCEPTS_HERE = 2;
export const ACCEPTS_AT_END = 4;
/** Bits below a state's number. */
const STATE = 3;

/** Numbers before a state's own in `arena`: how many ids it accepts, how many at the end of a sentence, and how many positions it holds. */
const HEAD = 3;
/** A position is a node and how many more words the gap before it may skip (at most 8, `pattern.ts`). */
const SKIPS = 16;

/**
 * What is kept before all is forgotten and made again: powers of 2. A hundred thousand turns of ordinary talk need 23,000 states and 98,000
 * transitions, and the next hundred thousand few more.
 */
const LIMITS = { states: 1 << 15, transitions: 1 << 17, numbers: 1 << 20 };

/**
 * The patterns' automaton as a deterministic one, whose states and transitions are made when a text first needs them (as RE2 does): a word then
 * costs one look-up for each place before it where a pattern may have begun, instead of a walk over all patterns that begin there. A state is the
 * set of positions in the patterns that one beginning leads to.
 */
export class LazyDfa {
	/** The states where matching begins: at the first word of a sentence, and at any other. */
	first = 0;
	private inside = 0;
	/** The states after each column's words at any other (0: not made). */
	private readonly begun: Int32Array;
	/** Positions looked at so far: what making states costs. */
	work = 0;
	private readonly automaton: Automaton;
	private readonly phrases: Automaton;
	private readonly classes: WordClasses;
	/** See `MatcherData`. */
	private readonly columns: Int32Array;
	private readonly columnCount: number;
	/** Nodes that each class leads to from the root, which has too many class edges to try in turn. */
	private readonly afterRoot = new Map<number, number>();

	/** Transitions as an open hash table: a key of state and column (0: free), then the state that it leads to. */
	private readonly slots: Int32Array;
	private transitions = 0;
	/** For each state where it begins in `arena`: behind HEAD its ids, those at the end of a sentence, and its positions. */
	private readonly place: Int32Array;
	/** For each state the words that may lead on over an edge (`next-words.ts`). */
	private readonly masks: Int32Array;
	/** For each state where it leads over all other words, which is most of them: over its gaps, or nowhere (0: not made). */
	private readonly others: Int32Array;
	private states = 0;
	private arena = new Int32Array(1 << 14);
	private arenaEnd = 0;
	/** States by the hash of what they hold, as chains; 0: none, otherwise the state's number + 1. */
	private readonly heads: Int32Array;
	private readonly chain: Int32Array;

	/** Positions inside phrases that are members of classes, numbered: the node of the phrase, and the node that waits for the class. */
	private readonly pairs = new Map<number, number>();
	private readonly pairPhrase: number[] = [];
	private readonly pairNode: number[] = [];
	/** For each node of the phrases the classes of the phrases that go on from it, once asked for. */
	private readonly symbols: (readonly number[])[] = [];

	/** The state that is being made: nodes and the words that may be skipped before them, positions inside phrases (pairs), and ids. */
	private readonly reached = new Map<number, number>();
	private readonly inPhrases = new Set<number>();
	private readonly accepted = new Set<number>();
	private readonly acceptedAtEnd = new Set<number>();
	/** The same as numbers, as they are kept in `arena`. */
	private numbers = new Int32Array(1 << 12);

	constructor(
		data: MatcherData,
		private readonly limits = LIMITS,
	) {
		this.automaton = new Automaton(data.automaton);
		this.phrases = new Automaton(data.phrases);
		this.classes = new WordClasses(data.classes);
		this.columns = data.columns;
		this.columnCount = data.columns.reduce((most, column) => Math.max(most, column), 0) + 1;
		const { nodes, classSymbols, classChildren } = data.automaton;
		for (let edge = nodes[CLASS_FROM] as number; edge < (nodes[CLASS_UNTIL] as number); edge++)
			this.afterRoot.set(classSymbols[edge] as number, classChildren[edge] as number);
		// Twice as many slots of two numbers as there are transitions.
		this.slots = new Int32Array(4 * limits.transitions);
		this.place = new Int32Array(limits.states);
		this.masks = new Int32Array(limits.states * MASK);
		this.others = new Int32Array(limits.states);
		this.heads = new Int32Array(limits.states);
		this.chain = new Int32Array(limits.states);
		this.begun = new Int32Array(this.columnCount);
		this.makeBeginnings();
	}

	/** Where matching goes on when it begins with `word` inside a sentence: a third of all transitions, so they have a table of their own. */
	begin(word: number): number {
		const column = this.columns[word] as number;
		const known = this.begun[column] as number;
		if (known !== 0) return known;
		const state = this.next(this.inside, word);
		this.begun[column] = state;
		return state;
	}

	/** Where matching goes on over `word`; states are numbers with the bits above. */
	next(state: number, word: number): number {
		const number = state >>> STATE;
		if (!mayHold(this.masks, number * MASK, word)) {
			const other = this.others[number] as number;
			return other === 0 ? this.make(number, 0, 0) : other;
		}
		const key = number * this.columnCount + (this.columns[word] as number) + 1;
		const { slots } = this;
		let slot = this.firstSlot(key);
		for (let known = slots[slot] as number; known !== 0; known = slots[slot] as number) {
			if (known === key) return slots[slot + 1] as number;
			slot = (slot + 2) & (slots.length - 1);
		}
		return this.make(number, word, key);
	}

	/** Adds what `state` accepts to `found`, as matches of tokens [first, until). */
	report(state: number, first: number, until: number, found: MatchBuffer): void {
		const place = this.place[state >>> STATE] as number;
		const from = place + HEAD;
		const last = from + (this.arena[place] as number);
		for (let at = from; at < last; at++) found.add(this.arena[at] as number, first, until);
	}

	/** The same with what it accepts only at the end of a sentence. */
	reportAtEnd(state: number, first: number, until: number, found: MatchBuffer): void {
		const place = this.place[state >>> STATE] as number;
		const from = place + HEAD + (this.arena[place] as number);
		const last = from + (this.arena[place + 1] as number);
		for (let at = from; at < last; at++) found.add(this.arena[at] as number, first, until);
	}

	/** Works out and keeps the transition out of state `number` over `word` (0: any that its mask does not hold; the key is of no use then). */
	private make(number: number, word: number, key: number): number {
		const { limits } = this;
		const positions = this.positionsOf(number);
		this.work += positions.length;
		const isFull = this.states === limits.states || this.transitions === limits.transitions || this.arenaEnd > limits.numbers;
		if (isFull) this.forget();
		for (const position of positions) this.advance(position, word);
		const to = this.keep();
		// Where all has been forgotten, so has the state that it leads out of.
		if (isFull) return to;
		if (word === 0) this.others[number] = to;
		else this.addTransition(key, to);
		return to;
	}

	/** A copy, which outlives the state. */
	private positionsOf(number: number): Int32Array {
		const { arena } = this;
		const place = this.place[number] as number;
		const from = place + HEAD + (arena[place] as number) + (arena[place + 1] as number);
		return arena.slice(from, from + (arena[place + 2] as number));
	}

	/** Adds the positions that one position leads to over `word`. */
	private advance(position: number, word: number): void {
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

	/** The same for a position inside a phrase: a further one, and the nodes behind the classes whose phrase is complete. */
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

	/** Adds a position inside a phrase (0: none) unless no phrase that goes on from there is of a class that `node` waits for. */
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

	/** Adds a node with the words that may be skipped before it, and what follows it without a word: ids, gaps, the end of the sentence. */
	private reach(node: number, skips: number): void {
		const known = this.reached.get(node);
		if (known !== undefined && known >= skips) return;
		this.reached.set(node, skips);
		if (known !== undefined) return;
		const { nodes, lists } = this.automaton;
		addList(this.accepted, lists, nodes[node * NODE + ACCEPTS] as number);
		const end = nodes[node * NODE + AT_END] as number;
		if (end !== 0) addList(this.acceptedAtEnd, lists, nodes[end * NODE + ACCEPTS] as number);
		const gaps = nodes[node * NODE + GAPS] as number;
		const last = gaps + (lists[gaps] as number);
		for (let at = gaps + 1; at <= last; at += 2) this.reach(lists[at + 1] as number, lists[at] as number);
	}

	/** The state that has been made, or the equal one that is known, with its bits. */
	private keep(): number {
		const { reached, inPhrases, accepted, acceptedAtEnd } = this;
		const most = HEAD + accepted.size + acceptedAtEnd.size + reached.size + inPhrases.size;
		if (most > this.numbers.length) this.numbers = new Int32Array(2 * most);
		const { numbers } = this;
		const ids = this.list(accepted, HEAD);
		const idsAtEnd = this.list(acceptedAtEnd, ids);
		let until = idsAtEnd;
		for (const pair of inPhrases) numbers[until++] = -1 - pair;
		for (const [node, skips] of reached) if (skips > 0 || this.automaton.hasEdges(node)) numbers[until++] = node * SKIPS + skips;
		numbers.subarray(idsAtEnd, until).sort();
		numbers[0] = ids - HEAD;
		numbers[1] = idsAtEnd - ids;
		numbers[2] = until - idsAtEnd;
		const bits = (until > idsAtEnd ? GOES_ON : 0) | (ids > HEAD ? ACCEPTS_HERE : 0) | (idsAtEnd > ids ? ACCEPTS_AT_END : 0);
		reached.clear();
		inPhrases.clear();
		accepted.clear();
		acceptedAtEnd.clear();
		return (this.find(until) << STATE) | bits;
	}

	/** Writes ids in order into `numbers`; returns the place behind the last. */
	private list(ids: ReadonlySet<number>, from: number): number {
		let until = from;
		for (const id of ids) this.numbers[until++] = id;
		if (until > from + 1) this.numbers.subarray(from, until).sort();
		return until;
	}

	/** Number of the state that is made of the first `count` of `numbers`, added when new. */
	private find(count: number): number {
		const { numbers } = this;
		const bucket = hashOf(numbers, count) & (this.heads.length - 1);
		for (let known = this.heads[bucket] as number; known !== 0; known = this.chain[known - 1] as number) if (this.isMadeOf(known - 1, count)) return known - 1;
		const state = this.states++;
		if (this.arenaEnd + count > this.arena.length) {
			const larger = new Int32Array(2 * this.arena.length + count);
			larger.set(this.arena);
			this.arena = larger;
		}
		this.arena.set(numbers.subarray(0, count), this.arenaEnd);
		this.place[state] = this.arenaEnd;
		this.arenaEnd += count;
		this.chain[state] = this.heads[bucket] as number;
		this.heads[bucket] = state + 1;
		this.addMask(state);
		return state;
	}

	/** True for the state of the first `count` of `numbers`, which say themselves how many there are. */
	private isMadeOf(state: number, count: number): boolean {
		const { arena, numbers } = this;
		const place = this.place[state] as number;
		for (let at = 0; at < count; at++) if (arena[place + at] !== numbers[at]) return false;
		return true;
	}

	private addMask(state: number): void {
		const { masks, phrases, automaton } = this;
		const from = state * MASK;
		masks.fill(0, from, from + MASK);
		for (const position of this.positionsOf(state)) {
			if (position < 0) for (const word of phrases.wordsFrom(this.pairPhrase[-1 - position] as number)) addWord(masks, from, word);
			else {
				const node = Math.floor(position / SKIPS) * NODE;
				unite(masks, from, automaton.nodes.subarray(node, node + MASK));
			}
		}
	}

	private addTransition(key: number, to: number): void {
		const { slots } = this;
		let slot = this.firstSlot(key);
		while (slots[slot] !== 0) slot = (slot + 2) & (slots.length - 1);
		slots[slot] = key;
		slots[slot + 1] = to;
		this.transitions++;
	}

	/** Place of the slot where looking for a key begins, by a multiplicative hash (Knuth). */
	private firstSlot(key: number): number {
		const hash = Math.imul(key, 0x9e3779b1);
		return ((hash ^ (hash >>> 15)) << 1) & (this.slots.length - 1);
	}

	private forget(): void {
		this.slots.fill(0);
		this.heads.fill(0);
		this.others.fill(0);
		this.begun.fill(0);
		this.transitions = 0;
		this.states = 0;
		this.arenaEnd = 0;
		this.makeBeginnings();
	}

	private makeBeginnings(): void {
		const { atStart } = this.automaton;
		this.reach(0, 0);
		this.inside = this.keep();
		this.reach(0, 0);
		if (atStart !== 0) this.reach(atStart, 0);
		this.first = this.keep();
	}
}

/** Adds the numbers of one of an automaton's lists. */
function addList(to: Set<number>, lists: Int32Array, list: number): void {
	const last = list + (lists[list] as number);
	for (let at = list + 1; at <= last; at++) to.add(lists[at] as number);
}

/** FNV-1a over whole numbers, its upper bits folded in. */
function hashOf(numbers: Int32Array, count: number): number {
	let hash = 0x811c9dc5;
	for (let at = 0; at < count; at++) hash = Math.imul(hash ^ (numbers[at] as number), 0x01000193);
	return hash ^ (hash >>> 15);
}
