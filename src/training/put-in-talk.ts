import { type Engine, startSession, step } from "../core/step.js";
import type { SessionState, Turn } from "../types.js";
import { type Example, isCalm } from "./corpus.js";
import type { Prepared } from "./fit.js";
import { createRandom } from "./random.js";
import { FOLDS, prepare } from "./train.js";

/** How many of the rows without context, with risk or a signal and calm, are also read after calm talk: in talk, too, calm turns are the most. */
const SHARE = { grave: 0.08, calm: 0.15 } as const;
/** Chance that two exchanges stand before, not one. */
const TWICE = 0.3;
/** Longest message and reply, in characters, that is used. */
const LONGEST = 200;

/**
 * Rows without context as a turn of a talk that was calm so far; calm talk before does not change what a turn means, so the label stays. Most written rows with context have risk in it,
 * and from them alone a model learns that a second turn is a bad sign (docs/accuracy.md). Deterministic; all messages of a new row are of one fold.
 */
export function putInTalk(rows: readonly Prepared[], engine: Engine): Prepared[] {
	const random = createRandom();
	const pick = <Item>(from: readonly Item[]): Item => from[Math.floor(random() * from.length)] as Item;
	const calm: Turn[][] = Array.from({ length: FOLDS }, () => []);
	const replies: Turn[][] = Array.from({ length: FOLDS }, () => []);
	for (const { example, fold } of rows) {
		if (!isCalm(example)) continue;
		if (example.turns.length === 1) calm[fold]?.push(...example.turns.filter(isShort));
		else if (isCalmTalk(example, engine)) replies[fold]?.push(...example.turns.filter((turn) => turn.role === "assistant" && isShort(turn)));
	}
	const folds: number[] = [];
	const inTalk = rows.flatMap(({ example, fold }): Example[] => {
		const messages = calm[fold] as Turn[];
		const answers = replies[fold] as Turn[];
		const isLeftOut = random() >= (isCalm(example) ? SHARE.calm : SHARE.grave);
		if (isLeftOut || example.turns.length > 1 || messages.length === 0 || answers.length === 0) return [];
		const exchanges = random() < TWICE ? 2 : 1;
		const before = Array.from({ length: exchanges }, () => [pick(messages), pick(answers)]).flat();
		folds.push(fold);
		return [{ ...example, turns: [...before, ...example.turns] }];
	});
	return prepare(inTalk, engine).map((row, at) => ({ ...row, fold: folds[at] as number }));
}

function isShort({ content }: Turn): boolean {
	return content.length <= LONGEST;
}

/** True when the rules see nothing in the turns before the last, and no question whose answer would mean something. */
function isCalmTalk({ turns }: Example, engine: Engine): boolean {
	const rules: Engine = { ...engine, predictor: undefined };
	let state: SessionState = startSession();
	return turns.slice(0, -1).every((turn) => {
		const { label, state: next } = step(state, turn, rules);
		state = next;
		return label.r_level === "R0" && label.evidence.length === 0 && state.asked.length === 0;
	});
}
