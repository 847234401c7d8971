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
	/** 1 for nodes that an edge leaves. */
	hasEdges = new Uint8Array(1);
	private slotNode = new Int32Array(2);
	private slotSymbol = new Int32Array(2);
	private slotChild = new Int32Array(2);
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
		let edgeCount = 0;
		for (const children of this.edges.values()) edgeCount += children.size;
		let size = 4;
		while (size < edgeCount * 3) size *= 2;
		this.mask = size - 1;
		this.slotNode = new Int32Array(size).fill(-1);
		this.slotSymbol = new Int32Array(size);
		this.slotChild = new Int32Array(size);
		this.hasEdges = new Uint8Array(this.nodeCount);
		for (const [node, children] of this.edges) {
			this.hasEdges[node] = 1;
			for (const [symbol, child] of children) {
				let slot = hash(node, symbol) & this.mask;
				while (this.slotNode[slot] !== -1) slot = (slot + 1) & this.mask;
				this.slotNode[slot] = node;
				this.slotSymbol[slot] = symbol;
				this.slotChild[slot] = child;
			}
		}
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

	/** The node after `node` on `symbol`; 0 when there is none. */
	next(node: number, symbol: number): number {
		let slot = hash(node, symbol) & this.mask;
		for (;;) {
			const at = this.slotNode[slot] as number;
			if (at === -1) return 0;
			if (at === node && this.slotSymbol[slot] === symbol) return this.slotChild[slot] as number;
			slot = (slot + 1) & this.mask;
		}
	}
}

function hash(node: number, symbol: number): number {
	const mixed = Math.imul(node, 0x9e3779b1) ^ Math.imul(symbol, 0x85ebca6b);
	return mixed ^ (mixed >>> 15);
}
