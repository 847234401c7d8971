import { Worker } from "node:worker_threads";
import { WordVectors } from "../core/model/word-vectors.js";
import type { Prepared } from "./fit.js";
import type { FitJob, FitMessage } from "./fit-worker.js";
import { fitParts, type Parts, type TrainOptions } from "./train.js";

/** One training: its rows and the name under which progress is told. */
export interface Fit {
	name: string;
	rows: Prepared[];
}

/** Runs trainings in at most `threads` threads at once (0: in this one, one after the other); the results do not depend on the number. */
export async function runFits(fits: readonly Fit[], options: TrainOptions, threads: number): Promise<Parts[]> {
	if (threads === 0) return fits.map(({ name, rows }) => fitParts(rows, options, name));
	const results: Parts[] = new Array(fits.length);
	let next = 0;
	const work = async (): Promise<void> => {
		for (let at = next++; at < fits.length; at = next++) results[at] = await inThread(fits[at] as Fit, options);
	};
	await Promise.all(Array.from({ length: Math.min(threads, fits.length) }, work));
	return results;
}

function inThread({ name, rows }: Fit, { vectors, onProgress }: TrainOptions): Promise<Parts> {
	const { hashes, values, units } = vectors;
	const job: FitJob = { isLabelTrain: true, name, rows, vectors: { hashes, values, units } };
	return new Promise((resolve, reject) => {
		const worker = new Worker(new URL("./fit-worker.js", import.meta.url), { workerData: job });
		worker.on("error", reject);
		worker.on("message", (message: FitMessage) => {
			if ("done" in message) return onProgress?.(message.done);
			const { heads, convolution } = message.parts;
			// Threads lose the class of what they send.
			resolve({
				heads,
				convolution: { ...convolution, vectors: new WordVectors(convolution.vectors.hashes, convolution.vectors.values, convolution.vectors.units) },
			});
		});
	});
}
