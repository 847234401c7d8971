import { createHash, type Hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseModel } from "../core/model/model.js";
import { checkPolicy, DEFAULT_POLICY } from "../core/risk/levels.js";
import { createScorerFrom } from "../core/scorer.js";
import { startSession } from "../core/step.js";
import { LabelError } from "../errors.js";
import type { Policy, Scorer, ScorerVersion } from "../types.js";
import { VERSION } from "../version.js";
import { loadCompiledLexicon } from "./compiled.js";
import { ENGLISH, lexiconFiles } from "./load-lexicon.js";

export interface OpenScorerOptions {
	/** Thresholds; default: the labelling guide's. */
	policy?: Policy | undefined;
	/** A model file made by `label train`; default: the shipped one. `null`: rules alone. */
	modelFile?: string | null | undefined;
}

/**
 * Opens the shipped scorer with the English lexicon.
 * @throws LabelError `invalid_lexicon`, `invalid_policy`, `invalid_model`, `file_unreadable`
 */
export function openScorer(options: OpenScorerOptions = {}): Scorer {
	const bytes = modelBytes(options);
	const source = hashLexicon();
	return createScorerFrom({
		lexicon: loadCompiledLexicon(source),
		policy: options.policy,
		model: bytes && parseModel(bytes),
		version: versionOf(source, bytes),
	});
}

/**
 * Like `openScorer`, but lexicon and model are compiled when the first turn is scored: for a thread that seldom scores, because it costs
 * time and some 80 MB. Version and policy are known at once; a damaged lexicon is only found then.
 * @throws LabelError `invalid_policy`, `invalid_model`, `file_unreadable`
 */
export function openScorerLate(options: OpenScorerOptions = {}): Scorer {
	const bytes = modelBytes(options);
	// A damaged file is reported before anything is stored.
	if (bytes !== undefined) parseModel(bytes);
	const version = versionOf(hashLexicon(), bytes);
	let scorer: Scorer | undefined;
	const open = (): Scorer => {
		scorer ??= openScorer(options);
		return scorer;
	};
	return {
		version,
		policy: checkPolicy(options.policy ?? DEFAULT_POLICY),
		start: startSession,
		step: (state, turn) => open().step(state, turn),
		explain: (state, turn) => open().explain(state, turn),
	};
}

function modelBytes({ modelFile }: OpenScorerOptions): Uint8Array | undefined {
	return modelFile === null ? undefined : readModel(modelFile ?? new URL("model.bin", ENGLISH));
}

/** First 12 hex digits of a SHA-256 over the lexicon's files. */
export function hashLexicon(): string {
	const hash = createHash("sha256");
	for (const name of lexiconFiles()) hash.update(readFileSync(new URL(name, ENGLISH)));
	return shortHash(hash);
}

/** What the scores depend on: hashes of the lexicon's files and of the model. */
function versionOf(lexicon: string, model: Uint8Array | undefined): ScorerVersion {
	return { name: "label-en", version: VERSION, lexicon, model: model ? shortHash(createHash("sha256").update(model)) : "none" };
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
