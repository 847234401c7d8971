import { LEVEL_HEADS } from "../core/model/heads.js";
import { serialiseModel, sigmoid } from "../core/model/model.js";
import { createEngine } from "../core/scorer.js";
import { LabelError } from "../errors.js";
import { auroc } from "../evaluation/agreement.js";
import { loadLexicon } from "../lexicon/load-lexicon.js";
import { loadVectors } from "../lexicon/load-vectors.js";
import { R_LEVELS, SIGNALS } from "../types.js";
import { parseCorpus } from "./corpus.js";
import type { Prepared } from "./fit.js";
import { runFits } from "./fit-threads.js";
import { calibrate, FOLDS, heldOutOutputs, type Parts, prepare, quantise, trainOptions } from "./train.js";

/** Figures on rows that the model at hand was not trained on, by name. */
export type HeldOut = Record<string, number | null>;

/** Least rows that a model can be trained on: every fold needs every head's both sides. */
const LEAST_ROWS = 200;

/**
 * Trains a model file from corpus files; `onProgress` is told what has been done.
 * @param options.threads trainings that run at once in threads of their own; 0 (default): in the calling thread
 * @throws LabelError `invalid_record` naming file and line; `usage` when there are too few rows
 */
export async function trainFromCorpus(
	files: readonly { name: string; text: string }[],
	{ threads = 0, onProgress }: { threads?: number; onProgress?: (done: string) => void } = {},
): Promise<{ bytes: Uint8Array; rows: number; heldOut: HeldOut }> {
	const engine = createEngine({ lexicon: loadLexicon(), version: { name: "training", version: "", lexicon: "", model: "" } });
	const rows = files.flatMap(({ name, text }) => prepare(parseCorpus(text, name), engine));
	if (rows.length < LEAST_ROWS) throw new LabelError("usage", `${rows.length} rows are too few to train on; give at least ${LEAST_ROWS}`);
	const options = trainOptions(loadVectors(), onProgress);
	const folds = Array.from({ length: FOLDS }, (_, fold) => ({ name: `fold ${fold + 1} of ${FOLDS}`, rows: rows.filter((row) => row.fold !== fold) }));
	const fitted = await runFits([...folds, { name: "all rows", rows }], options, threads);
	const outputs = heldOutOutputs(rows, fitted);
	const calibration = calibrate(rows, outputs);
	return { bytes: serialiseModel(quantise(fitted.at(-1) as Parts, calibration)), rows: rows.length, heldOut: measure(rows, outputs, calibration) };
}

function measure(rows: readonly Prepared[], outputs: readonly Float64Array[], { slope, offset }: { slope: Float32Array; offset: Float32Array }): HeldOut {
	const figures: HeldOut = {};
	const at = (row: number, head: number): number => sigmoid((slope[head] as number) * (outputs[row]?.[head] as number) + (offset[head] as number));
	const split = (head: number, side: (row: Prepared) => boolean | undefined): [number[], number[]] => {
		const sides: [number[], number[]] = [[], []];
		rows.forEach((row, index) => {
			const is = side(row);
			if (is !== undefined) sides[is ? 0 : 1].push(at(index, head));
		});
		return sides;
	};
	for (let head = 0; head < LEVEL_HEADS; head++) figures[`auroc(${R_LEVELS[head + 1]})`] = auroc(...split(head, ({ example }) => example.level > head));
	SIGNALS.forEach((signal, index) => {
		// Weak mentions (0.15 to 0.5) belong to neither side.
		figures[`auroc(${signal})`] = auroc(
			...split(LEVEL_HEADS + index, ({ example }) =>
				(example.scores[index] as number) >= 0.5 ? true : (example.scores[index] as number) < 0.15 ? false : undefined,
			),
		);
	});
	return figures;
}
