import type { Facts } from "../lexicon.js";
import type { IndexedRule } from "../match/lexicon-index.js";

/** One mention: a rule's match with what its surroundings make of it. */
export interface Finding {
	rule: IndexedRule;
	/** Tokens [first, until). */
	first: number;
	until: number;
	/** Whose mention it is. */
	subject: "self" | "other";
	/** Score of the rule's signal after the modifiers, in [0, 1]. */
	score: number;
	/** Severity 0 to 3 that the mention alone gives the turn. */
	level: number;
	facts: Facts;
	/** Modifiers that applied, e.g. "negation", "temporality:historical". */
	modifiers: string[];
	/** Why the mention does not count; undefined when it does. */
	setAside: string | undefined;
}
