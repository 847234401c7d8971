import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { WordVectors } from "../core/model/word-vectors.js";
import type { Prepared } from "./fit.js";
import { fitParts, type Parts, trainOptions } from "./train.js";

/** What a training thread is given; only plain data crosses threads. */
export interface FitJob {
	isLabelTrain: true;
	name: string;
	rows: Prepared[];
	vectors: Pick<WordVectors, "hashes" | "values" | "units">;
}

/** What it sends: words of progress, and at last the parts. */
export type FitMessage = { done: string } | { parts: Parts };

if (!isMainThread && (workerData as Partial<FitJob> | null)?.isLabelTrain === true) {
	const { name, rows, vectors } = workerData as FitJob;
	const send = (message: FitMessage): void => parentPort?.postMessage(message);
	send({
		parts: fitParts(
			rows,
			trainOptions(new WordVectors(vectors.hashes, vectors.values, vectors.units), (done) => send({ done })),
			name,
		),
	});
}
