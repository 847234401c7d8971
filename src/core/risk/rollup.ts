import type { SessionState } from "../../types.js";
import { round } from "./levels.js";

/** Half-life of the persistence mean: three user turns (guide, section 7). */
const DECAY = 0.5 ** (1 / 3);
const PERSISTENCE_FACTOR = 1.25;
/** "Capped just under the R2 cut": one grain below the default cut. */
const GRAIN = 0.001;

/**
 * Session risk after a turn: never falls; lasting distress lifts it, never to R2. Only user turns move it.
 * @param prs the turn's risk; ignored unless `isUser`
 * @param r2Cut the policy's R2 threshold
 */
export function rollUp(state: SessionState, prs: number, isUser: boolean, r2Cut: number): { srs: number; mean: number } {
	const before = state.srs ?? 0;
	if (!isUser) return { srs: before, mean: state.mean };
	const mean = DECAY * state.mean + (1 - DECAY) * prs;
	const persistence = Math.min(PERSISTENCE_FACTOR * mean, r2Cut - GRAIN);
	return { srs: Math.max(before, prs, round(persistence)), mean };
}
