import { SIGNALS } from "../../types.js";

/** Heads in order: risk of at least R1-mid, at least R1-high, R2; then the ten signals. */
export const LEVEL_HEADS = 3;
export const HEADS = LEVEL_HEADS + SIGNALS.length;
