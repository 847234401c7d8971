import { openScorer } from "../../src/lexicon/open-scorer.js";
import type { Label, RLevel, Role, Scorer, Turn } from "../../src/types.js";

/** The shipped scorer by its rules alone; compiled once a test file. */
export const rulesAlone: Scorer = openScorer({ modelFile: null });

/** Turns written as `A: text` (assistant), `S: text` (system), `U: text` or plain text (user). */
export function toTurns(lines: readonly string[]): Turn[] {
	const roles: Record<string, Role> = { A: "assistant", S: "system", U: "user" };
	return lines.map((line) => {
		const match = /^([ASU]): (.*)$/s.exec(line);
		return match ? { role: roles[match[1] as string] as Role, content: match[2] as string } : { role: "user", content: line };
	});
}

/** Labels of a session, turn by turn. */
export function foldSession(lines: readonly string[], scorer: Scorer = rulesAlone): Label[] {
	let state = scorer.start();
	return toTurns(lines).map((turn) => {
		const result = scorer.step(state, turn);
		state = result.state;
		return result.label;
	});
}

/** Label of the last of the turns. */
export function lastLabel(lines: readonly string[], scorer: Scorer = rulesAlone): Label {
	return foldSession(lines, scorer).at(-1) as Label;
}

/** Level of the last of the turns. */
export function levelOf(...lines: string[]): RLevel {
	return lastLabel(lines).r_level;
}
