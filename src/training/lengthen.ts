import type { Engine } from "../core/step.js";
import { type Example, isCalm } from "./corpus.js";
import type { Prepared } from "./fit.js";
import { createRandom } from "./random.js";
import { FOLDS, prepare } from "./train.js";

/** How many of the rows with risk or a signal, and of the calm ones, are also read inside a longer text: about as many of each in the end. */
const SHARE = { grave: 0.25, calm: 0.08 } as const;
/** Most calm messages around a row, and longest message, in characters, that is used. */
const MOST_AROUND = 4;
const LONGEST_CALM = 200;
const LONGEST_ROW = 300;

/**
 * Rows in which a message stands among calm ones, as disclosures do in the posts that people write; the label stays that of the message.
 * Written rows are short, and a model of them alone reads long texts badly (docs/accuracy.md). Deterministic; all messages of a new row are
 * of one fold, so that what is held out stays unseen.
 */
export function lengthen(rows: readonly Prepared[], engine: Engine): Prepared[] {
	const random = createRandom();
	const calm: string[][] = Array.from({ length: FOLDS }, () => []);
	for (const { example, fold } of rows) {
		const [turn, ...more] = example.turns;
		if (isCalm(example) && turn !== undefined && more.length === 0 && turn.content.length <= LONGEST_CALM) calm[fold]?.push(turn.content);
	}
	const folds: number[] = [];
	const longer = rows.flatMap(({ example, fold }): Example[] => {
		const messages = calm[fold] as string[];
		const turn = example.turns.at(-1);
		if (random() >= (isCalm(example) ? SHARE.calm : SHARE.grave) || messages.length === 0 || !turn || turn.content.length > LONGEST_ROW) return [];
		const around = 1 + Math.floor(random() * MOST_AROUND);
		const parts = Array.from({ length: around }, () => messages[Math.floor(random() * messages.length)] as string);
		parts.splice(Math.floor(random() * (around + 1)), 0, turn.content);
		folds.push(fold);
		return [{ ...example, turns: [...example.turns.slice(0, -1), { ...turn, content: parts.map(asSentence).join(" ") }] }];
	});
	return prepare(longer, engine).map((row, at) => ({ ...row, fold: folds[at] as number }));
}

/** The message with an end that the next one can follow. */
function asSentence(message: string): string {
	const trimmed = message.trim();
	return /[\p{L}\p{N}]$/u.test(trimmed) ? `${trimmed}.` : trimmed;
}
