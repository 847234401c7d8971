import type { TokenBuffer } from "../text/tokens.js";
import { type Automaton, FIRST_CLASS } from "./automaton.js";

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
	private readonly classesOfWord: readonly Int32Array[];
	/** One bit for each word and class: set when the word belongs to the class. Rows of `memberStride` cells, a row a word. */
	private readonly members: Int32Array;
	private readonly memberStride: number;
	private readonly found = new MatchBuffer();
	private phraseHead = new Int32Array(256);
	private readonly phraseMatches = new MatchBuffer();
	private phraseNext = new Int32Array(128);
	private readonly rootChildren: (Int32Array | undefined)[] = [];
	/** Trie nodes visited for the last text: what matching costs, for tests of its linearity. */
	work = 0;
	private visits = 0;
	private tokens!: TokenBuffer;
	private limit = 0;
	private from = 0;

	constructor(parts: { automaton: Automaton; phrases: Automaton; classesOfWord: readonly Int32Array[] }) {
		this.automaton = parts.automaton;
		this.phrases = parts.phrases;
		this.classesOfWord = parts.classesOfWord;
		const classCount = Math.max(-1, ...parts.classesOfWord.map((classes) => Math.max(-1, ...classes))) + 1 - FIRST_CLASS;
		this.memberStride = Math.max(1, Math.ceil(classCount / 32));
		this.members = new Int32Array(this.memberStride * parts.classesOfWord.length);
		parts.classesOfWord.forEach((classes, word) => {
			for (const symbol of classes) {
				const place = word * this.memberStride + ((symbol - FIRST_CLASS) >>> 5);
				this.members[place] = (this.members[place] as number) | (1 << ((symbol - FIRST_CLASS) & 31));
			}
		});
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
			let node = word[at] === 0 ? 0 : this.phrases.next(0, word[at] as number);
			for (let to = at + 1; node !== 0; to++) {
				const classes = this.phrases.accepting[node];
				if (classes) {
					for (const symbol of classes) {
						const index = matches.count;
						matches.add(symbol, at, to);
						if (this.phraseNext.length < matches.id.length) {
							const larger = new Int32Array(matches.id.length);
							larger.set(this.phraseNext);
							this.phraseNext = larger;
						}
						this.phraseNext[index] = this.phraseHead[at] as number;
						this.phraseHead[at] = index;
					}
				}
				if (to >= count || sentence[to] !== sentence[at] || word[to] === 0) break;
				node = this.phrases.next(node, word[to] as number);
			}
		}
	}

	private visit(node: number, at: number): void {
		if (++this.visits > MAX_VISITS) return;
		const automaton = this.automaton;
		const ids = automaton.accepting[node];
		if (ids) for (let index = 0; index < ids.length; index++) this.found.add(ids[index] as number, this.from, at);
		const gaps = automaton.gaps[node];
		if (gaps) {
			for (let index = 0; index < gaps.length; index += 2) {
				const last = Math.min(at + (gaps[index] as number), this.limit);
				for (let to = at; to <= last; to++) this.visit(gaps[index + 1] as number, to);
			}
		}
		if (at === this.limit) {
			const end = automaton.atEnd[node] as number;
			if (end !== 0) this.visit(end, at);
			return;
		}
		this.advance(node, at);
	}

	/** Follows the edges out of the root, which are looked up by word once and for all. */
	private begin(at: number): void {
		const word = this.tokens.word[at] as number;
		const children = word === 0 ? undefined : this.afterRoot(word);
		if (children !== undefined) for (let index = 0; index < children.length; index++) this.visit(children[index] as number, at + 1);
		for (let match = this.phraseHead[at] as number; match !== -1; match = this.phraseNext[match] as number) {
			const after = this.automaton.nextOnClass(0, this.phraseMatches.id[match] as number);
			if (after !== 0) this.visit(after, this.phraseMatches.until[match] as number);
		}
	}

	/** Nodes that a word leads to from the root. */
	private afterRoot(word: number): Int32Array {
		let children = this.rootChildren[word];
		if (children === undefined) {
			const onClasses = Array.from(this.classesOfWord[word] as Int32Array, (symbol) => this.automaton.nextOnClass(0, symbol));
			children = Int32Array.from([this.automaton.next(0, word), ...onClasses].filter((child) => child !== 0));
			this.rootChildren[word] = children;
		}
		return children;
	}

	/** Follows every edge out of `node` that the token at `at`, or a phrase that begins there, allows. */
	private advance(node: number, at: number): void {
		const automaton = this.automaton;
		const word = this.tokens.word[at] as number;
		if (word !== 0) {
			if (automaton.hasWordEdges[node] === 1) {
				const child = automaton.next(node, word);
				if (child !== 0) this.visit(child, at + 1);
			}
			const { classFrom, classSymbols } = automaton;
			const until = classFrom[node + 1] as number;
			const row = word * this.memberStride;
			for (let edge = classFrom[node] as number; edge < until; edge++) {
				const number = (classSymbols[edge] as number) - FIRST_CLASS;
				if (((this.members[row + (number >>> 5)] as number) & (1 << (number & 31))) !== 0) this.visit(automaton.classChildren[edge] as number, at + 1);
			}
		}
		for (let match = this.phraseHead[at] as number; match !== -1; match = this.phraseNext[match] as number) {
			const after = automaton.nextOnClass(node, this.phraseMatches.id[match] as number);
			if (after !== 0) this.visit(after, this.phraseMatches.until[match] as number);
		}
	}
}
