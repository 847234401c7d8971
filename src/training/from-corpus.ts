import { serialiseModel } from "../core/model/model.js";
import { createEngine } from "../core/scorer.js";
import { LabelError } from "../errors.js";
import { loadLexicon } from "../lexicon/load-lexicon.js";
import { loadVectors } from "../lexicon/load-vectors.js";
import { parseCorpus } from "./corpus.js";
import { runFits } from "./fit-threads.js";
import { type HeldOut, measureHeldOut } from "./held-out.js";
import { lengthen } from "./lengthen.js";
import { putInTalk } from "./put-in-talk.js";
import { calibrate, FOLDS, heldOutOutputs, type Parts, prepare, quantise, trainOptions } from "./train.js";

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
	// Longer texts and talk are only learnt from: calibration and figures are of the rows as they were written.
	const learnt = [...rows, ...lengthen(rows, engine), ...putInTalk(rows, engine)];
	const folds = Array.from({ length: FOLDS }, (_, fold) => ({ name: `fold ${fold + 1} of ${FOLDS}`, rows: learnt.filter((row) => row.fold !== fold) }));
	const fitted = await runFits([...folds, { name: "all rows", rows: learnt }], options, threads);
	const outputs = heldOutOutputs(rows, fitted);
	const calibration = calibrate(rows, outputs);
	return { bytes: serialiseModel(quantise(fitted.at(-1) as Parts, calibration)), rows: rows.length, heldOut: measureHeldOut(rows, outputs, calibration) };
}
