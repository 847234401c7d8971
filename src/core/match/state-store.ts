import type { MatchBuffer } from "./match-buffer.js";

/** A state's numbers begin with how many ids it accepts, how many more at the end of a sentence, and how many positions it holds; then these follow. */
export const HEAD = 3;

/** Sets of numbers, each kept once and numbered. */
export class StateStore {
	count = 0;
	/** The states' numbers one behind the other, and where each state's begin. */
	private arena = new Int32Array(1 << 14);
	private end = 0;
	private readonly place: Int32Array;
	/** States by the hash of their numbers, as chains; 0: none, otherwise the state + 1. */
	private readonly heads: Int32Array;
	private readonly chain: Int32Array;

	/**
	 * @param most states, a power of 2
	 * @param mostNumbers of all states, more or less: it may be passed by one state
	 */
	constructor(
		private readonly most: number,
		private readonly mostNumbers: number,
	) {
		this.place = new Int32Array(most);
		this.heads = new Int32Array(most);
		this.chain = new Int32Array(most);
	}

	/** True when nothing may be added. */
	isFull(): boolean {
		return this.count === this.most || this.end > this.mostNumbers;
	}

	/** The state of the first `length` of `numbers`; a new one is numbered `count - 1`. Not to be called when the store is full. */
	find(numbers: Int32Array, length: number): number {
		const bucket = hashOf(numbers, length) & (this.most - 1);
		for (let known = this.heads[bucket] as number; known !== 0; known = this.chain[known - 1] as number)
			if (this.isMadeOf(known - 1, numbers, length)) return known - 1;
		const state = this.count++;
		if (this.end + length > this.arena.length) {
			const larger = new Int32Array(2 * this.arena.length + length);
			larger.set(this.arena);
			this.arena = larger;
		}
		this.arena.set(numbers.subarray(0, length), this.end);
		this.place[state] = this.end;
		this.end += length;
		this.chain[state] = this.heads[bucket] as number;
		this.heads[bucket] = state + 1;
		return state;
	}

	/** True for the state of these numbers, which say themselves how many there are. */
	private isMadeOf(state: number, numbers: Int32Array, length: number): boolean {
		const { arena } = this;
		const place = this.place[state] as number;
		for (let at = 0; at < length; at++) if (arena[place + at] !== numbers[at]) return false;
		return true;
	}

	/** A copy of a state's positions, which outlives it. */
	positionsOf(state: number): Int32Array {
		const { arena } = this;
		const place = this.place[state] as number;
		const from = place + HEAD + (arena[place] as number) + (arena[place + 1] as number);
		return arena.slice(from, from + (arena[place + 2] as number));
	}

	/** Adds the ids that a state accepts to `found`, as matches of tokens [first, until). */
	report(state: number, first: number, until: number, found: MatchBuffer): void {
		const place = this.place[state] as number;
		this.addIds(place + HEAD, this.arena[place] as number, first, until, found);
	}

	/** The same with those that it accepts only at the end of a sentence. */
	reportAtEnd(state: number, first: number, until: number, found: MatchBuffer): void {
		const place = this.place[state] as number;
		this.addIds(place + HEAD + (this.arena[place] as number), this.arena[place + 1] as number, first, until, found);
	}

	private addIds(from: number, count: number, first: number, until: number, found: MatchBuffer): void {
		for (let at = from; at < from + count; at++) found.add(this.arena[at] as number, first, until);
	}

	/** Forgets all states. */
	clear(): void {
		this.count = 0;
		this.end = 0;
		this.heads.fill(0);
	}
}

/** FNV-1a over whole numbers, its upper bits folded in. */
function hashOf(numbers: Int32Array, length: number): number {
	let hash = 0x811c9dc5;
	for (let at = 0; at < length; at++) hash = Math.imul(hash ^ (numbers[at] as number), 0x01000193);
	return hash ^ (hash >>> 15);
}
