import { Worker } from "node:worker_threads";
import type { Scorer } from "../types.js";
import type { WorkerJob, WorkerResult, WorkerSetup } from "./run-protocol.js";
import { createJobRunner } from "./run-worker.js";

/** Runs jobs, in threads or in this one. */
export interface WorkerPool {
	/** Jobs that may wait or run at once without the memory growing. */
	readonly capacity: number;
	run(job: WorkerJob): Promise<WorkerResult>;
	close(): Promise<void>;
}

/** Jobs waiting for each worker beyond the one it works on: enough that it never idles. */
const AHEAD = 1;
/**
 * Heaps that are cleaned before they are large: without limits a run with two workers took 350 to 400 MB, with these it takes 298 to 344 (docs/performance.md). The larger one
 * leaves room for a record of 64 MiB, the longest that is read.
 */
const HEAP = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 1024 };

/**
 * Makes a pool. Plain worker threads: measured 12% faster than piscina at 5 microseconds a turn (docs/performance.md).
 * @param size number of threads; 0 works in the calling thread
 * @param scorer gives the calling thread's, made from the same setup
 */
export function createWorkerPool(size: number, setup: WorkerSetup, scorer: () => Scorer): WorkerPool {
	if (size === 0) {
		let run: ReturnType<typeof createJobRunner> | undefined;
		return {
			capacity: 1,
			async run(job) {
				run ??= createJobRunner(setup, scorer());
				return run(job);
			},
			close: async () => {},
		};
	}
	const waiting = new Map<number, { resolve(result: WorkerResult): void; reject(error: Error): void }>();
	const fail = (error: Error): void => {
		for (const { reject } of waiting.values()) reject(error);
		waiting.clear();
	};
	const workers = Array.from({ length: size }, () => {
		const worker = new Worker(new URL("./run-worker.js", import.meta.url), { resourceLimits: HEAP, workerData: { isLabelRun: true, setup } });
		worker.on("message", (result: WorkerResult) => {
			waiting.get(result.id)?.resolve(result);
			waiting.delete(result.id);
		});
		worker.on("error", fail);
		return worker;
	});
	let next = 0;
	return {
		capacity: size * (1 + AHEAD),
		run(job) {
			const worker = workers[next++ % size] as Worker;
			return new Promise((resolve, reject) => {
				waiting.set(job.id, { resolve, reject });
				worker.postMessage(job, job.kind === "block" ? [job.block.bytes.buffer as ArrayBuffer] : []);
			});
		},
		async close() {
			await Promise.all(workers.map((worker) => worker.terminate()));
		},
	};
}
