import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { type OpenScorerOptions, openScorer } from "../lexicon/open-scorer.js";
import { parseBlock } from "../readers/index.js";
import type { InputConversation } from "../readers/types.js";
import type { Scorer } from "../types.js";
import type { WorkerJob, WorkerResult, WorkerSetup } from "./run-protocol.js";
import { addScoredConversation, createBatch } from "./scored-batch.js";
import { silentScorer } from "./silent-scorer.js";

/** The scorer that a setup asks for, opened by `open`. @throws LabelError `invalid_lexicon`, `invalid_model`, `invalid_policy`, `file_unreadable` */
export function scorerOf(setup: WorkerSetup, open: (options: OpenScorerOptions) => Scorer = openScorer): Scorer {
	return setup.scoring === "off" ? silentScorer(setup.policy) : open({ policy: setup.policy, modelFile: setup.modelFile });
}

/** Makes the function that does a worker's jobs; a run without threads calls it directly, with the scorer it has already. */
export function createJobRunner(setup: WorkerSetup, scorer: Scorer = scorerOf(setup)): (job: WorkerJob) => WorkerResult {
	return (job) => {
		const { conversations, rejects } = job.kind === "block" ? parseBlock(job.format, job.block, job.options) : job;
		const batch = createBatch(conversations.reduce((sum, { messages }) => sum + messages.length, 0));
		const places: WorkerResult["places"] = [];
		for (const conversation of conversations) {
			const { title, started_at, messages, line, record, records } = conversation;
			addScoredConversation(
				batch,
				{
					external_id: conversation.external_id ?? nameOf(job.file, conversation),
					end_user_external_id: conversation.end_user_external_id ?? setup.endUser,
					title,
					started_at,
					messages,
					piece: isPiece(conversation),
				},
				{ scorer, keepContent: setup.keepContent },
			);
			places.push({ line, record, records });
		}
		return { id: job.id, file: job.file, batch, places, rejects };
	};
}

/** A conversation without an id is called after its file and place (spec 3.1). */
function nameOf(file: string, { record, part }: InputConversation): string {
	return `${file === "-" ? "stdin" : basename(file)}#${record}${part === undefined ? "" : `/${part}`}`;
}

/** A record that holds single messages may be one piece of a session that goes on elsewhere. */
function isPiece({ piece }: InputConversation): boolean {
	return piece === true;
}

if (parentPort !== null && (workerData as { isLabelRun?: boolean } | null)?.isLabelRun === true) {
	const port = parentPort;
	const run = createJobRunner((workerData as { setup: WorkerSetup }).setup);
	port.on("message", (job: WorkerJob) => {
		const result = run(job);
		const { columns } = result.batch;
		const buffers = [
			columns.role,
			columns.content_hash,
			columns.created_at,
			columns.scores,
			columns.prs,
			columns.r_level,
			columns.session_srs,
			columns.session_r_level,
			columns.coverage,
		];
		port.postMessage(
			result,
			buffers.map(({ buffer }) => buffer as ArrayBuffer),
		);
	});
}
