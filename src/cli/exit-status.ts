import type { ErrorCode } from "../errors.js";

/** What scripts can trust (spec 3). */
export const EXIT = {
	done: 0,
	/** A gate was not met. */
	gate: 1,
	/** Wrong usage or configuration. */
	usage: 2,
	/** Finished, but some records were rejected. */
	rejected: 3,
	/** Could not finish: file, disk, database. */
	failed: 4,
	interrupted: 130,
} as const;

const USAGE: readonly ErrorCode[] = ["usage", "invalid_policy", "invalid_lexicon", "invalid_model", "invalid_request", "not_found", "conflict"];

/** Exit status of an error. */
export function exitStatusOf(code: ErrorCode): number {
	return USAGE.includes(code) ? EXIT.usage : EXIT.failed;
}
