import { LabelError } from "../../errors.js";
import { type Policy, R_LEVELS, type RLevel } from "../../types.js";

/** Cuts of the labelling guide, section 5. */
export const DEFAULT_POLICY: Policy = { name: "default", thresholds: { "R1-mid": 0.25, "R1-high": 0.5, R2: 0.8 } };

/** Where the default cuts lie: 0 and 1 close the scale. The scorer thinks on this scale; a policy only cuts it elsewhere. */
const BANDS = [0, 0.25, 0.5, 0.8, 1] as const;

/**
 * Checks a policy's thresholds.
 * @throws LabelError `invalid_policy` when they are not 0 < R1-mid < R1-high < R2 <= 1
 */
export function checkPolicy(policy: Policy): Policy {
	const { "R1-mid": mid, "R1-high": high, R2 } = policy.thresholds;
	if (!(mid > 0 && mid < high && high < R2 && R2 <= 1))
		throw new LabelError("invalid_policy", `policy "${policy.name}": thresholds must rise: 0 < R1-mid < R1-high < R2 <= 1`);
	return policy;
}

/** The R-level of a risk in [0, 1] under a policy. */
export function toRLevel(risk: number, policy: Policy): RLevel {
	const cuts = policy.thresholds;
	if (risk >= cuts.R2) return "R2";
	if (risk >= cuts["R1-high"]) return "R1-high";
	return risk >= cuts["R1-mid"] ? "R1-mid" : "R0";
}

/** Severity of a level: 0 to 3. */
export function severity(level: RLevel): number {
	return R_LEVELS.indexOf(level);
}

/**
 * Risk in [0, 1] of a level at a strength in [0, 1] within it; always inside the level's band under the default policy.
 * @param level severity, 0 to 3
 */
export function toRisk(level: number, strength: number): number {
	const from = BANDS[level] as number;
	const to = BANDS[level + 1] as number;
	return round(from + (to - from) * Math.min(Math.max(strength, 0), 1) * 0.98);
}

/** Scores are kept to thousandths: finer differences mean nothing, and a fixed grain keeps file and API results equal to the letter. */
export function round(value: number): number {
	return Math.round(value * 1000) / 1000;
}
