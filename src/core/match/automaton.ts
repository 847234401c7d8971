import { MASK } from "./next-words.js";

type Edge = [symbol: number, child: number];

/** Numbers of a frozen node, and their places behind its mask. */
export const NODE = MASK + 8;
/** Its lists of accepted ids and of gaps (0: none), and the node reached at the end of a sentence (0: none). */
export const ACCEPTS = MASK;
export const GAPS = MASK + 1;
export const AT_END = MASK + 2;
/** The `wordBit` of every word on its edges, united. */
export const WORD_MASK = MASK + 3;
/** Its edges on words and on classes. */
const WORD_FROM = MASK + 4;
const WORD_UNTIL = MASK + 5;
export const CLASS_FROM = MASK + 6;
export const CLASS_UNTIL = MASK + 7;

/** Classes are numbered from here, words below: both are the automaton's symbols. */
export const FIRST_CLASS = 1 << 20;

/**
 * A trie over symbols (words and classes) with gaps and anchors, frozen into flat arrays for matching.
 * Node 0 is the root.
 */
export class Automaton {
	private readonly edges = new Map<number, Map<number, number>>();
	private readonly gapNodes = new Map<string, number>();
	private readonly endNodes = new Map<number, number>();
	private readonly accepts = new Map<number, Set<number>>();
	nodeCount = 1;
	private startNode = 0;

	/**
	 * Frozen form: NODE numbers a node, which fill one cache line, because waiting for memory is most of what matching costs: the mask of words
	 * that may stand next (`next-words.ts`), then the places named below.
	 */
	nodes = new Int32Array(NODE);
	/** Lists of numbers, each behind its length: accepted ids, and gaps as pairs of most words and node. Place 0 is the empty list. */
	lists = new Int32Array(1);
	/** Node where patterns anchored to the start of a sentence begin; 0 when there is none. */
	atStart = 0;
	/** Edges on words, node by node, by rising word. */
	private wordSymbols = new Int32Array(0);
	private wordChildren = new Int32Array(0);
	/** Edges on classes, likewise. Flat lists are a tenth of a hash table, and what is small stays near the processor. */
	classSymbols = new Int32Array(0);
	classChildren = new Int32Array(0);

	/** The node after `node` on `symbol`, made when absent. */
	edge(node: number, symbol: number): number {
		let children = this.edges.get(node);
		if (children === undefined) {
			children = new Map();
			this.edges.set(node, children);
		}
		let child = children.get(symbol);
		if (child === undefined) {
			child = this.nodeCount++;
			children.set(symbol, child);
		}
		return child;
	}

	/** The node where matching goes on after zero to `most` words behind `node`. */
	gapAfter(node: number, most: number): number {
		const key = `${node} ${most}`;
		let child = this.gapNodes.get(key);
		if (child === undefined) {
			child = this.nodeCount++;
			this.gapNodes.set(key, child);
		}
		return child;
	}

	/** Only the root can be anchored to the start of a sentence. */
	startAnchor(node: number): number {
		if (node !== 0) return node;
		if (this.startNode === 0) this.startNode = this.nodeCount++;
		return this.startNode;
	}

	endAnchor(node: number): number {
		let child = this.endNodes.get(node);
		if (child === undefined) {
			child = this.nodeCount++;
			this.endNodes.set(node, child);
		}
		return child;
	}

	accept(node: number, id: number): void {
		const ids = this.accepts.get(node);
		if (ids) ids.add(id);
		else this.accepts.set(node, new Set([id]));
	}

	/** Turns the maps into flat arrays; nothing may be added afterwards. */
	freeze(): void {
		this.nodes = new Int32Array(this.nodeCount * NODE);
		this.atStart = this.startNode;
		const lists = [0];
		const addList = (numbers: readonly number[] | undefined): number =>
			numbers === undefined ? 0 : lists.push(numbers.length, ...numbers) - numbers.length - 1;
		const gaps = new Map<number, number[]>();
		for (const [key, child] of this.gapNodes) {
			const [node, most] = key.split(" ").map(Number) as [number, number];
			gaps.set(node, [...(gaps.get(node) ?? []), most, child]);
		}
		for (let node = 0; node < this.nodeCount; node++) {
			const accepts = this.accepts.get(node);
			this.nodes[node * NODE + ACCEPTS] = addList(accepts && [...accepts]);
			this.nodes[node * NODE + GAPS] = addList(gaps.get(node));
			this.nodes[node * NODE + AT_END] = this.endNodes.get(node) ?? 0;
		}
		this.lists = Int32Array.from(lists);
		this.freezeEdges();
		this.edges.clear();
		this.gapNodes.clear();
		this.endNodes.clear();
		this.accepts.clear();
	}

	private freezeEdges(): void {
		const classEdges: Edge[] = [];
		const wordEdges: Edge[] = [];
		for (let node = 0; node < this.nodeCount; node++) {
			const edges = [...(this.edges.get(node) ?? [])];
			const words = edges.filter(([symbol]) => symbol < FIRST_CLASS).sort(([left], [right]) => left - right);
			const at = node * NODE;
			this.nodes[at + WORD_FROM] = wordEdges.length;
			this.nodes[at + CLASS_FROM] = classEdges.length;
			wordEdges.push(...words);
			classEdges.push(...edges.filter(([symbol]) => symbol >= FIRST_CLASS));
			this.nodes[at + WORD_UNTIL] = wordEdges.length;
			this.nodes[at + CLASS_UNTIL] = classEdges.length;
			this.nodes[at + WORD_MASK] = words.reduce((mask, [word]) => mask | wordBit(word), 0);
		}
		this.wordSymbols = Int32Array.from(wordEdges, ([symbol]) => symbol);
		this.wordChildren = Int32Array.from(wordEdges, ([, child]) => child);
		this.classSymbols = Int32Array.from(classEdges, ([symbol]) => symbol);
		this.classChildren = Int32Array.from(classEdges, ([, child]) => child);
	}

	/** The node after `node` on a word; 0 when there is none. */
	next(node: number, word: number): number {
		let low = this.nodes[node * NODE + WORD_FROM] as number;
		let high = this.nodes[node * NODE + WORD_UNTIL] as number;
		while (low < high) {
			const middle = (low + high) >>> 1;
			const symbol = this.wordSymbols[middle] as number;
			if (symbol === word) return this.wordChildren[middle] as number;
			if (symbol < word) low = middle + 1;
			else high = middle;
		}
		return 0;
	}

	/** The node after `node` on a class; 0 when there is none. Nodes have few class edges, so they are tried in turn. */
	nextOnClass(node: number, symbol: number): number {
		const until = this.nodes[node * NODE + CLASS_UNTIL] as number;
		for (let edge = this.nodes[node * NODE + CLASS_FROM] as number; edge < until; edge++)
			if (this.classSymbols[edge] === symbol) return this.classChildren[edge] as number;
		return 0;
	}

	/** The words on the edges out of a node. */
	wordsFrom(node: number): Int32Array {
		return this.wordSymbols.subarray(this.nodes[node * NODE + WORD_FROM], this.nodes[node * NODE + WORD_UNTIL]);
	}
}

/** One of 32 bits that stands for a word in masks; none for the unknown word 0. */
export function wordBit(word: number): number {
	return word === 0 ? 0 : 1 << (Math.imul(word, 0x9e3779b1) >>> 27);
}
