import { openScorer } from "../lexicon/open-scorer.js";
import type { Scorer } from "../types.js";

export interface ScorerFlags {
	/** Path of a model file, or `none` for rules alone; the shipped model when absent. */
	model?: string;
}

/** The scorer that a command's flags ask for. @throws LabelError `invalid_model`, `file_unreadable` */
export function scorerOf(flags: ScorerFlags): Scorer {
	return openScorer({ modelFile: flags.model === "none" ? null : flags.model });
}
