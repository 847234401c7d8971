type Edge = [symbol: number, child: number];

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

	/** Frozen form. */
	accepting: (Int32Array | undefined)[] = [];
	/** Up to `gapMost[node]` words may follow before `gapNode[node]` goes on; 0 when none. Chains of gaps are lists. */
	gaps: (Int32Array | undefined)[] = [];
	/** Node reached at the end of a sentence; 0 when none. */
	atEnd = new Int32Array(1);
	/** Node where patterns anchored to the start of a sentence begin; 0 when there is none. */
	atStart = 0;
	/** 1 for nodes that do more than lead on over edges: they accept, begin a gap or wait for the end of the sentence. */
	isStop = new Uint8Array(1);
	/** The `wordBit` of every word that leaves a node, united: most nodes are ruled out by it before anything is looked up. */
	wordMask = new Int32Array(1);
	/** Edges on words, node by node: node `n` has places `wordFrom[n]` to `wordFrom[n + 1]` of the two lists, by rising word. */
	private wordFrom = new Int32Array(2);
	private wordSymbols = new Int32Array(0);
	private wordChildren = new Int32Array(0);
	/** Edges on classes, likewise. Flat lists are a tenth of a hash table, and what is small stays near the processor. */
	classFrom = new Int32Array(2);
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
		this.freezeEdges();
		this.accepting = Array.from({ length: this.nodeCount }, (_, node) => {
			const ids = this.accepts.get(node);
			return ids && Int32Array.from(ids);
		});
		const gaps = new Map<number, number[]>();
		for (const [key, child] of this.gapNodes) {
			const [node, most] = key.split(" ").map(Number) as [number, number];
			gaps.set(node, [...(gaps.get(node) ?? []), most, child]);
		}
		this.gaps = Array.from({ length: this.nodeCount }, (_, node) => {
			const list = gaps.get(node);
			return list && Int32Array.from(list);
		});
		this.atEnd = new Int32Array(this.nodeCount);
		for (const [node, child] of this.endNodes) this.atEnd[node] = child;
		this.atStart = this.startNode;
		this.isStop = Uint8Array.from(this.atEnd, (end, node) => (end !== 0 || this.gaps[node] || this.accepting[node] ? 1 : 0));
		this.edges.clear();
		this.gapNodes.clear();
		this.endNodes.clear();
		this.accepts.clear();
	}

	private freezeEdges(): void {
		const classEdges: Edge[] = [];
		const wordEdges: Edge[] = [];
		this.wordMask = new Int32Array(this.nodeCount);
		this.wordFrom = new Int32Array(this.nodeCount + 1);
		this.classFrom = new Int32Array(this.nodeCount + 1);
		for (let node = 0; node < this.nodeCount; node++) {
			const edges = [...(this.edges.get(node) ?? [])];
			classEdges.push(...edges.filter(([symbol]) => symbol >= FIRST_CLASS));
			const words = edges.filter(([symbol]) => symbol < FIRST_CLASS).sort(([left], [right]) => left - right);
			wordEdges.push(...words);
			this.wordMask[node] = words.reduce((mask, [word]) => mask | wordBit(word), 0);
			this.wordFrom[node + 1] = wordEdges.length;
			this.classFrom[node + 1] = classEdges.length;
		}
		this.wordSymbols = Int32Array.from(wordEdges, ([symbol]) => symbol);
		this.wordChildren = Int32Array.from(wordEdges, ([, child]) => child);
		this.classSymbols = Int32Array.from(classEdges, ([symbol]) => symbol);
		this.classChildren = Int32Array.from(classEdges, ([, child]) => child);
	}

	/** The node after `node` on a word; 0 when there is none. */
	next(node: number, word: number): number {
		let low = this.wordFrom[node] as number;
		let high = this.wordFrom[node + 1] as number;
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
		const until = this.classFrom[node + 1] as number;
		for (let edge = this.classFrom[node] as number; edge < until; edge++) if (this.classSymbols[edge] === symbol) return this.classChildren[edge] as number;
		return 0;
	}

	/** The words on the edges out of a node. */
	wordsFrom(node: number): Int32Array {
		return this.wordSymbols.subarray(this.wordFrom[node] as number, this.wordFrom[node + 1] as number);
	}
}

/** One of 32 bits that stands for a word in masks; none for the unknown word 0. */
export function wordBit(word: number): number {
	return word === 0 ? 0 : 1 << (Math.imul(word, 0x9e3779b1) >>> 27);
}
