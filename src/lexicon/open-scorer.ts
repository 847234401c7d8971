import { createHash, type Hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseModel } from "../core/model/model.js";
import { createScorerFrom } from "../core/scorer.js";
import { LabelError } from "../errors.js";
import type { Policy, Scorer } from "../types.js";
import { VERSION } from "../version.js";
import { ENGLISH, lexiconFiles, loadLexicon } from "./load-lexicon.js";

export interface OpenScorerOptions {
	/** Thresholds; default: the labelling guide's. */
	policy?: Policy | undefined;
	/** A model file made by `label train`; default: the shipped one. `null`: rules alone. */
	modelFile?: string | null | undefined;
}

/**
 * Opens the shipped scorer: reads and compiles the English lexicon.
 * @throws LabelError `invalid_lexicon`, `invalid_policy`
 */
export function openScorer(options: OpenScorerOptions = {}): Scorer {
	const hash = createHash("sha256");
	for (const name of lexiconFiles()) hash.update(readFileSync(new URL(name, ENGLISH)));
	const bytes = options.modelFile === null ? undefined : readModel(options.modelFile ?? new URL("model.bin", ENGLISH));
	return createScorerFrom({
		lexicon: loadLexicon(),
		policy: options.policy,
		model: bytes && parseModel(bytes),
		version: { name: "label-en", version: VERSION, lexicon: shortHash(hash), model: bytes ? shortHash(createHash("sha256").update(bytes)) : "none" },
	});
}

function readModel(file: string | URL): Uint8Array {
	try {
		return readFileSync(file);
	} catch (cause) {
		throw new LabelError("file_unreadable", `the model file ${file} can not be read`, { cause });
	}
}

function shortHash(hash: Hash): string {
	return hash.digest("hex").slice(0, 12);
}
