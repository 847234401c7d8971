import { readFileSync } from "node:fs";
import { parseVectors, type WordVectors } from "../core/model/word-vectors.js";
import { LabelError } from "../errors.js";
import { ENGLISH } from "./load-lexicon.js";

/**
 * The word vectors that training starts from (`scripts/word-vectors.mjs` makes the file).
 * @throws LabelError `invalid_lexicon` when the shipped file is damaged
 */
export function loadVectors(): WordVectors {
	const parsed = parseVectors(readFileSync(new URL("vectors.bin", ENGLISH)));
	if (parsed === undefined) throw new LabelError("invalid_lexicon", "src/lexicon/en/vectors.bin is damaged; install label again");
	return parsed.vectors;
}
