import { MASK } from "./next-words.js";

type Edge = [symbol: number, child: number];

/** Numbers of a frozen node, and their places behind its mask; the last is left free, so that a node fills a cache line. */
export const NODE = MASK + 8;
/** Its lists of accepted ids and of gaps (0: none), and the node reached at the end of a sentence (0: none). */
export const ACCEPTS = MASK;
export const GAPS = MASK + 1;
export const AT_END = MASK + 2;
/** Its edges on words and on classes. */
const WORD_FROM = MASK + 3;
const WORD_UNTIL = MASK + 4;
export const CLASS_FROM = MASK + 5;
export const CLASS_UNTIL = MASK + 6;

/** Classes are numbered from here, words below: both are the automaton's symbols. */
export const FIRST_CLASS = 1 << 20;

/** A frozen trie as plain arrays, for matching. Node 0 is the root. */
export interface AutomatonData {
	/**
	 * NODE numbers a node, which fill one cache line, because waiting for memory is most of what matching costs: the mask of words that may stand
	 * next (`next-words.ts`), then the places named above.
	 */
	nodes: Int32Array;
	/** Lists of numbers, each behind its length: accepted ids, and gaps as pairs of most words and node. Place 0 is the empty list. */
	lists: Int32Array;
	/** Node where patterns anchored to the start of a sentence begin; 0 when there is none. */
	atStart: number;
	/** Edges on words, node by node, by rising word. */
	wordSymbols: Int32Array;
	wordChildren: Int32Array;
	/** Edges on classes, likewise. Flat lists are a tenth of a hash table, and what is small stays near the processor. */
	classSymbols: Int32Array;
	classChildren: Int32Array;
}

/** A frozen trie over symbols (words and classes) with gaps and anchors. */
export class Automaton {
	readonly nodes: Int32Array;
	readonly lists: Int32Array;
	readonly atStart: number;
	readonly classSymbols: Int32Array;
	readonly classChildren: Int32Array;
	private readonly wordSymbols: Int32Array;
	private readonly wordChildren: Int32Array;

	constructor(data: AutomatonData) {
		this.nodes = data.nodes;
		this.lists = data.lists;
		this.atStart = data.atStart;
		this.wordSymbols = data.wordSymbols;
		this.wordChildren = data.wordChildren;
		this.classSymbols = data.classSymbols;
		this.classChildren = data.classChildren;
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

	/** False for a node that only accepts, skips words or waits for the end of a sentence. */
	hasEdges(node: number): boolean {
		const at = node * NODE;
		return (
			(this.nodes[at + WORD_UNTIL] as number) > (this.nodes[at + WORD_FROM] as number) ||
			(this.nodes[at + CLASS_UNTIL] as number) > (this.nodes[at + CLASS_FROM] as number)
		);
	}

	/** The nodes that the edges on words lead to. */
	childrenOf(node: number): Int32Array {
		return this.wordChildren.subarray(this.nodes[node * NODE + WORD_FROM], this.nodes[node * NODE + WORD_UNTIL]);
	}

	/** The words on the edges out of a node. */
	wordsFrom(node: number): Int32Array {
		return this.wordSymbols.subarray(this.nodes[node * NODE + WORD_FROM], this.nodes[node * NODE + WORD_UNTIL]);
	}
}

/** A trie that is being built; node 0 is the root. */
export class AutomatonBuilder {
	private readonly edges = new Map<number, Map<number, number>>();
	private readonly gapNodes = new Map<string, number>();
	private readonly endNodes = new Map<number, number>();
	private readonly accepts = new Map<number, Set<number>>();
	private nodeCount = 1;
	private startNode = 0;

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

	/** The maps as flat arrays. */
	freeze(): AutomatonData {
		const nodes = new Int32Array(this.nodeCount * NODE);
		const lists = [0];
		const addList = (numbers: readonly number[] | undefined): number =>
			numbers === undefined ? 0 : lists.push(numbers.length, ...numbers) - numbers.length - 1;
		const gaps = new Map<number, number[]>();
		for (const [key, child] of this.gapNodes) {
			const [node, most] = key.split(" ").map(Number) as [number, number];
			gaps.set(node, [...(gaps.get(node) ?? []), most, child]);
		}
		const classEdges: Edge[] = [];
		const wordEdges: Edge[] = [];
		for (let node = 0; node < this.nodeCount; node++) {
			const at = node * NODE;
			const accepts = this.accepts.get(node);
			nodes[at + ACCEPTS] = addList(accepts && [...accepts]);
			nodes[at + GAPS] = addList(gaps.get(node));
			nodes[at + AT_END] = this.endNodes.get(node) ?? 0;
			const edges = [...(this.edges.get(node) ?? [])];
			const words = edges.filter(([symbol]) => symbol < FIRST_CLASS).sort(([left], [right]) => left - right);
			nodes[at + WORD_FROM] = wordEdges.length;
			nodes[at + CLASS_FROM] = classEdges.length;
			wordEdges.push(...words);
			classEdges.push(...edges.filter(([symbol]) => symbol >= FIRST_CLASS));
			nodes[at + WORD_UNTIL] = wordEdges.length;
			nodes[at + CLASS_UNTIL] = classEdges.length;
		}
		return {
			nodes,
			lists: Int32Array.from(lists),
			atStart: this.startNode,
			wordSymbols: Int32Array.from(wordEdges, ([symbol]) => symbol),
			wordChildren: Int32Array.from(wordEdges, ([, child]) => child),
			classSymbols: Int32Array.from(classEdges, ([symbol]) => symbol),
			classChildren: Int32Array.from(classEdges, ([, child]) => child),
		};
	}
}
