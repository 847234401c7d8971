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
	private nodeCount = 1;
	private startNode = 0;

	/** Frozen form. */
	accepting: (Int32Array | undefined)[] = [];
	/** Up to `gapMost[node]` words may follow before `gapNode[node]` goes on; 0 when none. Chains of gaps are lists. */
	gaps: (Int32Array | undefined)[] = [];
	/** Node reached at the end of a sentence; 0 when none. */
	atEnd = new Int32Array(1);
	/** Node where patterns anchored to the start of a sentence begin; 0 when there is none. */
	atStart = 0;
	/** 1 for nodes that an edge on a word leaves. */
	hasWordEdges = new Uint8Array(1);
	/** Edges on classes, node by node: node `n` has places `classFrom[n]` to `classFrom[n + 1]` of the two lists. */
	classFrom = new Int32Array(2);
	classSymbols = new Int32Array(0);
	classChildren = new Int32Array(0);
	/** Edges on words in an open hash table: node, symbol, child and one free cell a slot, so that a probe is one cache line. */
	private slots = new Int32Array(8);
	private mask = 1;

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
		this.edges.clear();
		this.gapNodes.clear();
		this.endNodes.clear();
		this.accepts.clear();
	}

	private freezeEdges(): void {
		const classEdges: [symbol: number, child: number][] = [];
		const wordEdges: [node: number, symbol: number, child: number][] = [];
		this.hasWordEdges = new Uint8Array(this.nodeCount);
		this.classFrom = new Int32Array(this.nodeCount + 1);
		for (let node = 0; node < this.nodeCount; node++) {
			this.classFrom[node] = classEdges.length;
			for (const [symbol, child] of this.edges.get(node) ?? []) {
				if (symbol >= FIRST_CLASS) classEdges.push([symbol, child]);
				else {
					wordEdges.push([node, symbol, child]);
					this.hasWordEdges[node] = 1;
				}
			}
		}
		this.classFrom[this.nodeCount] = classEdges.length;
		this.classSymbols = Int32Array.from(classEdges, ([symbol]) => symbol);
		this.classChildren = Int32Array.from(classEdges, ([, child]) => child);
		let size = 4;
		while (size < wordEdges.length * 2) size *= 2;
		this.mask = size - 1;
		this.slots = new Int32Array(size * 4).fill(-1);
		for (const [node, symbol, child] of wordEdges) {
			let slot = hash(node, symbol) & this.mask;
			while (this.slots[slot * 4] !== -1) slot = (slot + 1) & this.mask;
			this.slots.set([node, symbol, child], slot * 4);
		}
	}

	/** The node after `node` on a word; 0 when there is none. */
	next(node: number, word: number): number {
		const { slots, mask } = this;
		for (let slot = hash(node, word) & mask; ; slot = (slot + 1) & mask) {
			const at = slots[slot * 4] as number;
			if (at === -1) return 0;
			if (at === node && slots[slot * 4 + 1] === word) return slots[slot * 4 + 2] as number;
		}
	}

	/** The node after `node` on a class; 0 when there is none. Nodes have few class edges, so they are tried in turn. */
	nextOnClass(node: number, symbol: number): number {
		const until = this.classFrom[node + 1] as number;
		for (let edge = this.classFrom[node] as number; edge < until; edge++) if (this.classSymbols[edge] === symbol) return this.classChildren[edge] as number;
		return 0;
	}
}

function hash(node: number, symbol: number): number {
	const mixed = Math.imul(node, 0x9e3779b1) ^ Math.imul(symbol, 0x85ebca6b);
	return mixed ^ (mixed >>> 15);
}
