/** The library door: the same fold for TypeScript programs, pure and without I/O after it is opened. */
export { createScorerFrom, type ScorerParts } from "./core/scorer.js";
export { startSession as newSession } from "./core/step.js";
export { openScorer as createScorer } from "./lexicon/open-scorer.js";
export * from "./types.js";
