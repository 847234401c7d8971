import type { Policy, Scorer, ScorerVersion } from "../types.js";
import type { Lexicon } from "./lexicon.js";
import { type CompiledLexicon, compileLexicon, toIndex } from "./match/lexicon-index.js";
import type { Model } from "./model/model.js";
import { Predictor } from "./model/predictor.js";
import { checkPolicy, DEFAULT_POLICY } from "./risk/levels.js";
import { type Engine, explain, startSession, step } from "./step.js";
import { createTokeniser } from "./text/tokenise.js";
import { TokenBuffer } from "./text/tokens.js";

/** What a scorer is made of; loaded by the caller, so that the core does no I/O. */
export interface ScorerParts {
	/** Source or compiled; compiling takes half a second. */
	lexicon: Lexicon | CompiledLexicon;
	version: ScorerVersion;
	/** Default: the cuts of the labelling guide. */
	policy?: Policy | undefined;
	/** Default: the rules score alone. */
	model?: Model | undefined;
}

/**
 * Makes a scorer; scoring itself allocates little and is linear in the length of the text.
 * @throws LabelError `invalid_lexicon`, `invalid_policy`
 */
export function createScorerFrom(parts: ScorerParts): Scorer {
	const engine = createEngine(parts);
	return {
		version: parts.version,
		policy: engine.policy,
		start: startSession,
		step: (state, turn) => step(state, turn, engine),
		explain: (state, turn) => explain(state, turn, engine),
	};
}

/** The compiled parts behind a scorer. */
export function createEngine(parts: ScorerParts): Engine {
	const index = toIndex("matcher" in parts.lexicon ? parts.lexicon : compileLexicon(parts.lexicon));
	const policy = checkPolicy(parts.policy ?? DEFAULT_POLICY);
	return {
		index,
		tokeniser: createTokeniser(index.vocabulary),
		tokens: new TokenBuffer(),
		policy,
		version: parts.version,
		predictor: parts.model && new Predictor(parts.model),
	};
}
