import type { SessionState } from "../../types.js";
import type { Need } from "../lexicon.js";

/** The risks that the context rules remember, the gravest first. */
const RISKS: readonly Need[] = ["ideation", "self-harm", "violence"];

/** Name of the counter that holds the turn in which a risk was affirmed last. */
function lastTurnOf(risk: Need): string {
	return `${risk}.turn`;
}

/** True where a risk was affirmed in the session. */
export function stands({ memory }: SessionState, risk: Need): boolean {
	return (memory[risk] ?? 0) > 0;
}

/** The gravest risk that stands, affirmed at most `turns` turns ago; undefined when there is none. */
export function gravestRisk(state: SessionState, turns = Number.POSITIVE_INFINITY): Need | undefined {
	return RISKS.find((risk) => stands(state, risk) && state.turns - (state.memory[lastTurnOf(risk)] ?? 0) <= turns);
}

/** The memory with the risks that the turn affirms counted, and the turn noted. */
export function remember({ memory, turns }: SessionState, affirmed: readonly Need[]): SessionState["memory"] {
	if (affirmed.length === 0) return memory;
	const after = { ...memory };
	for (const risk of affirmed) {
		after[risk] = (after[risk] ?? 0) + 1;
		after[lastTurnOf(risk)] = turns;
	}
	return after;
}
