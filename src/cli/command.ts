import type { Io } from "./io.js";

/** Said once by every surface that shows a level (labelling guide). */
export const DISCLAIMER = "Triage support, not a diagnosis: levels say who should be looked at, and when.";

/** What the action of a command gets beside its arguments. */
export interface CommandContext {
	io: Io;
	setStatus(status: number): void;
}
