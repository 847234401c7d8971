import type { Policy, Scorer } from "../types.js";

/** What a scorer is made of; loaded by the caller, so that the core does no I/O. */
export interface ScorerOptions {
	policy?: Policy;
}

// Placeholder while the core is being written (the interface is final): replaced within this session.
export declare function createScorer(options: ScorerOptions): Scorer;
