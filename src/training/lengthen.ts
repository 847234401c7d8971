import type { Engine } from "../core/step.js";
import type { Example } from "./corpus.js";
import type { Prepared } from "./fit.js";
import { createRandom } from "./random.js";
import { prepare } from "./train.js";

/** How many of the rows with risk or a signal, and of the calm ones, are also read inside a longer text: about as many of each in the end. */
const SHARE = { grave: 0.25, calm: 0.08 } as const;
/** Most calm messages around a row, and longest message, in characters, that is used. */
const MOST_AROUND = 4;
const LONGEST_CALM = 200;
const LONGEST_ROW = 300;
/** From this score on a signal is in the text (guide, section 2). */
const WEAK = 0.15;

/**
 * Rows in which a message stands among calm ones, as disclosures do in the posts that people write; the label stays that of the message.
 * Written rows are short, and a model of them alone reads long texts badly (docs/accuracy.md). Deterministic; all messages of a new row are
 * of one fold, so that what is held out stays unseen.
 */
export function lengthen(rows: readonly Prepared[], engine: Engine): Prepared[] {
	const random = createRandom(20240229);
	const calm = new Map<number, string[]>();
	for (const { example, fold } of rows) {
		const [turn, ...more] = example.turns;
		if (!isCalm(example) || turn === undefined || more.length > 0 || turn.content.length > LONGEST_CALM) continue;
		const messages = calm.get(fold);
		if (messages) messages.push(turn.content);
		else calm.set(fold, [turn.content]);
	}
	return rows.flatMap(({ example, fold }) => {
		const messages = calm.get(fold);
		const turn = example.turns.at(-1);
		if (random() >= (isCalm(example) ? SHARE.calm : SHARE.grave) || !messages || !turn || turn.content.length > LONGEST_ROW) return [];
		const around = 1 + Math.floor(random() * MOST_AROUND);
		const parts = Array.from({ length: around }, () => messages[Math.floor(random() * messages.length)] as string);
		parts.splice(Math.floor(random() * (around + 1)), 0, turn.content);
		const longer: Example = { ...example, turns: [...example.turns.slice(0, -1), { ...turn, content: parts.map(asSentence).join(" ") }] };
		return prepare([longer], engine).map((row) => ({ ...row, fold }));
	});
}

function isCalm({ level, scores }: Example): boolean {
	return level === 0 && scores.every((score) => score < WEAK);
}

/** The message with an end that the next one can follow. */
function asSentence(message: string): string {
	const trimmed = message.trim();
	return /[\p{L}\p{N}]$/u.test(trimmed) ? `${trimmed}.` : trimmed;
}
