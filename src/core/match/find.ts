import type { TokenBuffer } from "../text/tokens.js";
import { ACCEPTS, AT_END, Automaton, CLASS_FROM, CLASS_UNTIL, GAPS, NODE, WORD_MASK, wordBit } from "./automaton.js";
import { isStop, type MatcherData, ROOT_CHILD, ROOT_STOP } from "./matcher-data.js";
import { MASK, mayHold } from "./next-words.js";
import { WordClasses } from "./word-classes.js";

/** Most trie nodes visited from one starting word: keeps matching linear in the length of hostile text. */
const MAX_VISITS = 4000;

/** Matches as parallel arrays: pattern id, first token, token after the last. */
export class MatchBuffer {
	count = 0;
	id = new Int32Array(128);
	first = new Int32Array(128);
	until = new Int32Array(128);

	add(id: number, first: number, until: number): void {
		if (this.count === this.id.length) {
			for (const field of ["id", "first", "until"] as const) {
				const larger = new Int32Array(this.count * 2);
				larger.set(this[field]);
				this[field] = larger;
			}
		}
		this.id[this.count] = id;
		this.first[this.count] = first;
		this.until[this.count++] = until;
	}
}

/** Finds all matches of all patterns, word-bounded, inside sentences, overlapping ones included. */
export class Matcher {
	private readonly automaton: Automaton;
	private readonly phrases: Automaton;
	private readonly classes: WordClasses;
	/** `automaton.nodes` and `automaton.lists`. */
	private readonly nodes: Int32Array;
	private readonly lists: Int32Array;
	/** See `MatcherData`. */
	private readonly rootChildren: Int32Array;
	private readonly rootFrom: Int32Array;
	private readonly rootStops: Int32Array;
	private readonly rootStopsFrom: Int32Array;
	private readonly phraseAfterRoot: Int32Array;
	/** Nodes that each class leads to from the root (0: none): the root alone has hundreds of class edges, too many to be tried in turn. */
	private readonly classAfterRoot = new Map<number, number>();
	private readonly found = new MatchBuffer();
	private phraseHead = new Int32Array(256);
	private readonly phraseMatches = new MatchBuffer();
	private phraseNext = new Int32Array(128);
	/** Trie nodes visited for the last text: what matching costs, for tests of its linearity. */
	work = 0;
	private visits = 0;
	private tokens!: TokenBuffer;
	private limit = 0;
	private from = 0;

	constructor(data: MatcherData) {
		this.automaton = new Automaton(data.automaton);
		this.phrases = new Automaton(data.phrases);
		this.classes = new WordClasses(data.classes);
		this.nodes = data.automaton.nodes;
		this.lists = data.automaton.lists;
		this.rootChildren = data.rootChildren;
		this.rootFrom = data.rootFrom;
		this.rootStops = data.rootStops;
		this.rootStopsFrom = data.rootStopsFrom;
		this.phraseAfterRoot = data.phraseAfterRoot;
		const { classSymbols, classChildren } = data.automaton;
		for (let edge = this.nodes[CLASS_FROM] as number; edge < (this.nodes[CLASS_UNTIL] as number); edge++)
			this.classAfterRoot.set(classSymbols[edge] as number, classChildren[edge] as number);
	}

	/** The returned buffer is reused by the next call. */
	find(tokens: TokenBuffer): MatchBuffer {
		this.tokens = tokens;
		this.found.count = 0;
		this.work = 0;
		this.findPhrases();
		const { count, sentence } = tokens;
		let limit = 0;
		for (let at = 0; at < count; at++) {
			const isFirst = at === 0 || sentence[at] !== sentence[at - 1];
			if (isFirst) {
				limit = at + 1;
				while (limit < count && sentence[limit] === sentence[at]) limit++;
			}
			this.limit = limit;
			this.from = at;
			this.visits = 0;
			this.begin(at);
			if (isFirst && this.automaton.atStart !== 0) this.visit(this.automaton.atStart, at);
			this.work += this.visits;
		}
		return this.found;
	}

	/** First layer: phrases that are members of classes become extra edges of the second. */
	private findPhrases(): void {
		const { count, word, sentence } = this.tokens;
		const matches = this.phraseMatches;
		matches.count = 0;
		if (this.phraseHead.length < count + 1) this.phraseHead = new Int32Array((count + 1) * 2);
		this.phraseHead.fill(-1, 0, count + 1);
		for (let at = 0; at < count; at++) {
			let node = this.phraseAfterRoot[word[at] as number] as number;
			for (let to = at + 1; node !== 0; to++) {
				const { nodes, lists } = this.phrases;
				const list = nodes[node * NODE + ACCEPTS] as number;
				const last = list + (lists[list] as number);
				for (let index = list + 1; index <= last; index++) this.addPhrase(lists[index] as number, at, to);
				if (to >= count || sentence[to] !== sentence[at] || word[to] === 0) break;
				node = this.phrases.next(node, word[to] as number);
			}
		}
	}

	private addPhrase(symbol: number, first: number, until: number): void {
		const index = this.phraseMatches.count;
		this.phraseMatches.add(symbol, first, until);
		if (this.phraseNext.length < this.phraseMatches.id.length) {
			const larger = new Int32Array(this.phraseMatches.id.length);
			larger.set(this.phraseNext);
			this.phraseNext = larger;
		}
		this.phraseNext[index] = this.phraseHead[first] as number;
		this.phraseHead[first] = index;
	}

	/** Counts a node as visited, and visits it unless it plainly leads nowhere: of ordinary words three in four do. */
	private follow(node: number, at: number): void {
		const canGoOn = isStop(this.nodes, node) || (at < this.limit && mayHold(this.nodes, node * NODE, this.tokens.word[at] as number));
		if (canGoOn) this.visit(node, at);
		else this.visits++;
	}

	private visit(node: number, at: number): void {
		if (++this.visits > MAX_VISITS) return;
		this.stop(node, at);
		if (at < this.limit) this.advance(node, at);
	}

	/** Reports what `node` accepts, and goes on behind its gaps or at the end of the sentence. */
	private stop(node: number, at: number): void {
		const { nodes, lists, limit } = this;
		const place = node * NODE;
		const ids = nodes[place + ACCEPTS] as number;
		const lastId = ids + (lists[ids] as number);
		for (let index = ids + 1; index <= lastId; index++) this.found.add(lists[index] as number, this.from, at);
		const gaps = nodes[place + GAPS] as number;
		const lastGap = gaps + (lists[gaps] as number);
		for (let index = gaps + 1; index <= lastGap; index += 2) {
			const last = Math.min(at + (lists[index] as number), limit);
			for (let to = at; to <= last; to++) this.follow(lists[index + 1] as number, to);
		}
		if (at < limit) return;
		const end = nodes[place + AT_END] as number;
		if (end !== 0) this.visit(end, at);
	}

	/** Follows the edges out of the root: those that stop, and those that the next word may follow. */
	private begin(at: number): void {
		const { rootChildren, rootFrom, rootStops, rootStopsFrom } = this;
		const word = this.tokens.word[at] as number;
		const lastStop = rootStopsFrom[word + 1] as number;
		for (let stop = rootStopsFrom[word] as number; stop < lastStop; stop += ROOT_STOP)
			if (this.leadsOn(stop, at + 1)) this.visit(rootStops[stop + MASK + 1] as number, at + 1);
		const after = at + 1 < this.limit ? (this.tokens.word[at + 1] as number) : 0;
		const until = rootFrom[word + 1] as number;
		for (let place = rootFrom[word] as number; place < until; place += ROOT_CHILD)
			if (mayHold(rootChildren, place, after)) this.visit(rootChildren[place + MASK] as number, at + 1);
		this.advanceOverPhrases(0, at);
	}

	/** False for a stop behind the root (its place in `rootStops`) when no word that it needs stands near enough: of ordinary words most lack it. */
	private leadsOn(stop: number, from: number): boolean {
		const { rootStops, limit } = this;
		const { word } = this.tokens;
		const most = rootStops[stop + MASK] as number;
		if (most < 0) return true;
		const until = Math.min(from + most + 1, limit);
		for (let at = from; at < until; at++) if (mayHold(rootStops, stop, word[at] as number)) return true;
		return false;
	}

	/** Follows every edge out of `node` that the token at `at`, or a phrase that begins there, allows. */
	private advance(node: number, at: number): void {
		const { automaton, classes, nodes } = this;
		const word = this.tokens.word[at] as number;
		const place = node * NODE;
		if (!mayHold(nodes, place, word)) return;
		if (((nodes[place + WORD_MASK] as number) & wordBit(word)) !== 0) {
			const child = automaton.next(node, word);
			if (child !== 0) this.follow(child, at + 1);
		}
		const { classSymbols, classChildren } = automaton;
		const until = nodes[place + CLASS_UNTIL] as number;
		for (let edge = nodes[place + CLASS_FROM] as number; edge < until; edge++)
			if (classes.has(word, classSymbols[edge] as number)) this.follow(classChildren[edge] as number, at + 1);
		this.advanceOverPhrases(node, at);
	}

	private advanceOverPhrases(node: number, at: number): void {
		for (let match = this.phraseHead[at] as number; match !== -1; match = this.phraseNext[match] as number) {
			const symbol = this.phraseMatches.id[match] as number;
			const after = node === 0 ? (this.classAfterRoot.get(symbol) ?? 0) : this.automaton.nextOnClass(node, symbol);
			if (after !== 0) this.follow(after, this.phraseMatches.until[match] as number);
		}
	}
}
