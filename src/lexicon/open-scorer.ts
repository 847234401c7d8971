import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createScorerFrom } from "../core/scorer.js";
import type { Policy, Scorer } from "../types.js";
import { VERSION } from "../version.js";
import { ENGLISH, lexiconFiles, loadLexicon } from "./load-lexicon.js";

export interface OpenScorerOptions {
	/** Thresholds; default: the labelling guide's. */
	policy?: Policy | undefined;
}

/**
 * Opens the shipped scorer: reads and compiles the English lexicon.
 * @throws LabelError `invalid_lexicon`, `invalid_policy`
 */
export function openScorer(options: OpenScorerOptions = {}): Scorer {
	const hash = createHash("sha256");
	for (const name of lexiconFiles()) hash.update(readFileSync(new URL(name, ENGLISH)));
	return createScorerFrom({
		lexicon: loadLexicon(),
		policy: options.policy,
		version: { name: "label-en", version: VERSION, lexicon: hash.digest("hex").slice(0, 12), model: "none" },
	});
}
