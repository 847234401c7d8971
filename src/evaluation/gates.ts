import { LabelError } from "../errors.js";
import type { Figures } from "./evaluate.js";

/** A condition on a figure, e.g. `recall(R2)>=0.9`. */
export interface Gate {
	text: string;
	figure: string;
	operator: ">=" | "<=" | ">" | "<";
	/** As a share: "90%" is 0.9. */
	value: number;
}

export interface GateResult {
	gate: string;
	/** Null when the figure could not be counted; such a gate is not met. */
	actual: number | null;
	isMet: boolean;
}

/**
 * Parses a gate.
 * @throws LabelError `usage` when the form or the figure is unknown; lists the figures
 */
export function parseGate(text: string, known: readonly string[]): Gate {
	const match = /^\s*([\w.()\-, ]+?)\s*(>=|<=|>|<)\s*(\d+(?:\.\d+)?|\.\d+)(%?)\s*$/.exec(text);
	if (!match) throw new LabelError("usage", `--require "${text}": write a figure, a comparison and a number, e.g. "recall(R2)>=0.9"`, { param: "require" });
	const figure = (match[1] as string).replaceAll(" ", "");
	if (!known.includes(figure))
		throw new LabelError("usage", `--require "${text}": there is no figure "${figure}"; known are ${known.join(", ")}`, { param: "require" });
	return { text, figure, operator: match[2] as Gate["operator"], value: Number(match[3]) / (match[4] === "%" ? 100 : 1) };
}

/** Compares the figures with the gates. */
export function checkGates(gates: readonly Gate[], figures: Figures): GateResult[] {
	return gates.map(({ text, figure, operator, value }) => {
		const actual = figures[figure] ?? null;
		return { gate: text, actual, isMet: actual !== null && compare(actual, operator, value) };
	});
}

function compare(actual: number, operator: Gate["operator"], value: number): boolean {
	if (operator === ">=") return actual >= value;
	if (operator === "<=") return actual <= value;
	return operator === ">" ? actual > value : actual < value;
}
