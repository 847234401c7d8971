import type { TokenBuffer } from "../text/tokens.js";
import { ACCEPTS_AT_END, ACCEPTS_HERE, GOES_ON, LazyAutomaton, type Limits } from "./lazy-automaton.js";
import { MatchBuffer } from "./match-buffer.js";
import type { MatcherData } from "./matcher-data.js";

/** Finds all matches of all patterns, word-bounded, inside sentences, overlapping ones included. */
export class Matcher {
	private readonly automaton: LazyAutomaton;
	private readonly found = new MatchBuffer();
	/** Words and positions in patterns looked at for the last text: what matching costs, for tests of its linearity. */
	work = 0;

	/** @param limits how much of the automaton is kept; for tests */
	constructor(data: MatcherData, limits?: Limits) {
		this.automaton = new LazyAutomaton(data, limits);
	}

	/** The returned buffer is reused by the next call. */
	find({ count, word, sentence }: TokenBuffer): MatchBuffer {
		const { automaton, found } = this;
		found.count = 0;
		automaton.work = 0;
		this.work = 0;
		for (let from = 0, limit = 0; from < count; from++) {
			const isFirst = from === limit;
			if (isFirst) while (limit < count && sentence[limit] === sentence[from]) limit++;
			let at = from + 1;
			let state = isFirst ? automaton.next(automaton.atStart, word[from] as number) : automaton.begin(word[from] as number);
			for (;;) {
				if ((state & ACCEPTS_HERE) !== 0) automaton.report(state, from, at, found);
				if (at === limit || (state & GOES_ON) === 0) break;
				state = automaton.next(state, word[at++] as number);
			}
			if (at === limit && (state & ACCEPTS_AT_END) !== 0) automaton.reportAtEnd(state, from, at, found);
			this.work += at - from;
		}
		this.work += automaton.work;
		return found;
	}
}
