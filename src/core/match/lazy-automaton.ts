import type { MatchBuffer } from "./match-buffer.js";
import type { MatcherData } from "./matcher-data.js";
import { MASK, mayHold } from "./next-words.js";
import { Positions } from "./positions.js";
import { HEAD, StateStore } from "./state-store.js";

/** Bits beside a state's number that say what there is to look at, which is seldom anything: it goes on, it accepts, it does at the end of a sentence. */
export const GOES_ON = 1;
export const ACCEPTS_HERE = 2;
export const ACCEPTS_AT_END = 4;
/** Bits below a state's number. */
const STATE = 3;

/** Most states and transitions, both powers of 2, and numbers that the states are made of. */
export interface Limits {
	states: number;
	transitions: number;
	numbers: number;
}

/**
 * What is kept before all is forgotten and made again; states and transitions are powers of 2. A hundred thousand turns of ordinary talk make
 * 23,000 states and 98,000 transitions, so a long run forgets now and then, which costs less than a millisecond and some slower turns.
 */
const LIMITS: Limits = { states: 1 << 15, transitions: 1 << 17, numbers: 1 << 20 };

/**
 * The patterns' automaton as a deterministic one, whose states and transitions are made when a text first needs them (as RE2 does): a word then
 * costs one look-up for each place before it where a pattern may have begun, instead of a walk over all patterns that begin there. A state is the
 * set of positions in the patterns that one beginning leads to.
 */
export class LazyAutomaton {
	/** The states where matching begins: at the first word of a sentence, and at any other. */
	atStart = 0;
	private inside = 0;
	/** Positions looked at so far: what making states costs. */
	work = 0;
	private readonly positions: Positions;
	private readonly states: StateStore;
	/** See `MatcherData`. */
	private readonly columns: Int32Array;
	private readonly columnCount: number;
	/** For each state the words that may lead on over an edge (`next-words.ts`). */
	private readonly masks: Int32Array;
	/** For each state where it leads over all other words, which is most of them: over its gaps, or nowhere (0: not made). */
	private readonly others: Int32Array;
	/** Where each column leads from `inside` (0: not made): a short cut for a third of all steps. */
	private readonly begun: Int32Array;
	/** Transitions over words that the masks hold, as an open hash table: a key of state and column (0: free), then the state that it leads to. */
	private readonly slots: Int32Array;
	private transitions = 0;

	constructor(
		data: MatcherData,
		private readonly limits: Limits = LIMITS,
	) {
		this.positions = new Positions(data);
		this.states = new StateStore(limits.states, limits.numbers);
		this.columns = data.columns;
		this.columnCount = data.columns.reduce((most, column) => Math.max(most, column), 0) + 1;
		this.masks = new Int32Array(limits.states * MASK);
		this.others = new Int32Array(limits.states);
		this.begun = new Int32Array(this.columnCount);
		// Twice as many slots of two numbers as there are transitions.
		this.slots = new Int32Array(4 * limits.transitions);
		this.makeBeginnings();
	}

	/** Where matching goes on when it begins with `word` inside a sentence; states are numbers with the bits above. */
	begin(word: number): number {
		const column = this.columns[word] as number;
		const known = this.begun[column] as number;
		if (known !== 0) return known;
		const state = this.next(this.inside, word);
		this.begun[column] = state;
		return state;
	}

	/** Where matching goes on from `state` over `word`. */
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
		this.states.report(state >>> STATE, first, until, found);
	}

	/** The same with what it accepts only at the end of a sentence. */
	reportAtEnd(state: number, first: number, until: number, found: MatchBuffer): void {
		this.states.reportAtEnd(state >>> STATE, first, until, found);
	}

	/** Works out and keeps the transition out of state `number` over `word` (0: any that its mask does not hold; the key is of no use then). */
	private make(number: number, word: number, key: number): number {
		const positions = this.states.positionsOf(number);
		this.work += positions.length;
		const isFull = this.states.isFull() || this.transitions === this.limits.transitions;
		if (isFull) this.forget();
		for (const position of positions) this.positions.advance(position, word);
		const to = this.keep();
		// Where all has been forgotten, so has the state that it leads out of.
		if (isFull) return to;
		if (word === 0) this.others[number] = to;
		else this.addTransition(key, to);
		return to;
	}

	/** The state that the positions have reached, with its bits. */
	private keep(): number {
		const { positions, states } = this;
		const length = positions.write();
		const { numbers } = positions;
		const known = states.count;
		const number = states.find(numbers, length);
		const ids = numbers[0] as number;
		const idsAtEnd = numbers[1] as number;
		const held = numbers[2] as number;
		if (states.count > known) {
			positions.writeMask(numbers.subarray(HEAD + ids + idsAtEnd, length), this.masks, number * MASK);
			this.others[number] = 0;
		}
		return (number << STATE) | (held > 0 ? GOES_ON : 0) | (ids > 0 ? ACCEPTS_HERE : 0) | (idsAtEnd > 0 ? ACCEPTS_AT_END : 0);
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
		this.states.clear();
		this.begun.fill(0);
		this.slots.fill(0);
		this.transitions = 0;
		this.makeBeginnings();
	}

	private makeBeginnings(): void {
		this.positions.begin(false);
		this.inside = this.keep();
		this.positions.begin(true);
		this.atStart = this.keep();
	}
}
