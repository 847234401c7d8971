import { once } from "node:events";
import { LabelError } from "../errors.js";
import { type Input, openInput, type ReadOptions } from "../readers/index.js";
import type { InputConversation, RejectedRecord } from "../readers/types.js";
import { ROLES } from "../types.js";
import type { WorkerJob, WorkerResult } from "./run-protocol.js";
import type { Sessions } from "./sessions.js";
import type { StoredConversation, StoreOptions } from "./store-conversations.js";
import type { WorkerPool } from "./worker-pool.js";

/** Conversations of a document format that travel to a worker together. */
const DOCUMENT_BATCH_TURNS = 2_000;

/** A record that was not stored, as it goes to the rejects file. */
export interface Reject extends RejectedRecord {
	file: string;
}

/** What a run counts, for each file and in all. Records in = stored + already stored + rejected. */
export interface RunCounts {
	records: number;
	/** Turns read, well-formed or not. */
	turns_in: number;
	/** Turns stored now. */
	stored: number;
	/** Turns that were stored before. */
	skipped: number;
	/** Turns that were not stored because their record was rejected. */
	rejected_turns: number;
	/** Rejected records. */
	rejected: number;
}

export interface RunEvents {
	/** A batch is stored: its rows, for outputs. */
	stored(result: WorkerResult, outcomes: readonly StoredConversation[]): Promise<void> | void;
	rejected(reject: Reject): void;
	progress(counts: RunCounts): void;
	/** A file of several can not be read at all; the others go on. */
	failed(file: string, error: LabelError): void;
}

export interface RunOptions {
	files: readonly string[];
	tenantId: number;
	read: ReadOptions;
	store: StoreOptions;
	/** Only sessions for which this holds are taken (`--shard`). */
	takes?: ((externalId: string) => boolean) | undefined;
	signal: AbortSignal;
}

export interface RunResult {
	counts: RunCounts;
	files: Record<string, RunCounts & { format: string }>;
	isInterrupted: boolean;
}

/**
 * Labels files: workers parse and score, this thread stores, in the order of the input whatever the number of workers.
 * @throws LabelError of readers and store; what was committed before stays, and the same run goes on from there
 */
export async function runFiles(sessions: Sessions, pool: WorkerPool, options: RunOptions, events: RunEvents): Promise<RunResult> {
	const counts = noCounts();
	const files: RunResult["files"] = {};
	let jobId = 0;
	for (const [fileNumber, file] of options.files.entries()) {
		if (options.signal.aborted) break;
		const input = await untilAborted(openOneOf(options.files, file, options.read, events), options.signal);
		if (input === undefined) continue;
		const own = { ...noCounts(), format: input.format };
		const both = [counts, own];
		files[file] = own;
		const settle = async (result: WorkerResult): Promise<void> => {
			await storeResult(result, fileNumber);
			events.progress(counts);
		};
		const storeResult = async (result: WorkerResult, number: number): Promise<void> => {
			const taken = options.takes ? keepTaken(result, options.takes) : result;
			for (const reject of taken.rejects) {
				count(both, reject.turns, { rejected_turns: reject.turns, rejected: 1, records: 1 });
				events.rejected({ ...reject, file });
			}
			const outcomes = sessions.storeBatch(options.tenantId, taken.batch, { ...options.store, file: number });
			outcomes.forEach((outcome, at) => {
				const { start, end } = taken.batch.conversations[at] as { start: number; end: number };
				const place = taken.places[at] as WorkerResult["places"][number];
				if (outcome.error === null) {
					count(both, end - start, { stored: outcome.stored, skipped: outcome.skipped, records: place.records });
					return;
				}
				count(both, end - start, { rejected_turns: end - start, rejected: place.records, records: place.records });
				events.rejected(toReject(file, taken, at, outcome.error));
			});
			await events.stored(taken, outcomes);
		};
		await inOrder(
			jobsOf(input, file, () => jobId++),
			pool,
			settle,
			options.signal,
		);
	}
	return { counts, files, isInterrupted: options.signal.aborted };
}

/** Opens a file; when it is one of several and can not be read, that is said and the others go on. @throws LabelError for a single file */
async function openOneOf(files: readonly string[], file: string, read: ReadOptions, events: RunEvents): Promise<Input | undefined> {
	try {
		return await openInput(file, read);
	} catch (error) {
		if (files.length === 1 || !(error instanceof LabelError)) throw error;
		events.failed(file, error);
		return undefined;
	}
}

/** Feeds the pool and settles the results in the order of the jobs; never more under way than the pool's capacity. */
async function inOrder(jobs: AsyncIterable<WorkerJob>, pool: WorkerPool, settle: (result: WorkerResult) => Promise<void>, signal: AbortSignal): Promise<void> {
	const underWay: Promise<WorkerResult>[] = [];
	const settleFirst = async (): Promise<void> => settle(await (underWay.shift() as Promise<WorkerResult>));
	const source = jobs[Symbol.asyncIterator]();
	try {
		for (;;) {
			const next = await untilAborted(source.next(), signal);
			if (next === undefined || next.done || signal.aborted) break;
			const result = pool.run(next.value);
			// A failure is seen when the result's turn comes; until then it must not count as unhandled.
			result.catch(() => {});
			underWay.push(result);
			if (underWay.length >= pool.capacity) await settleFirst();
		}
		while (underWay.length > 0) await settleFirst();
	} finally {
		// Not awaited: an interrupted source may wait for input that never comes.
		source.return?.(undefined).catch(() => {});
	}
}

/** What the promise gives; undefined as soon as the signal is aborted. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
	const listening = new AbortController();
	const aborted = once(signal, "abort", { signal: listening.signal }).then(
		() => undefined,
		() => undefined,
	);
	try {
		if (signal.aborted) return undefined;
		return await Promise.race([promise, aborted]);
	} finally {
		listening.abort();
		promise.catch(() => {});
	}
}

async function* jobsOf(input: Input, file: string, nextId: () => number): AsyncGenerator<WorkerJob> {
	if (input.kind === "block") {
		for await (const block of input.blocks()) yield { id: nextId(), file, kind: "block", format: input.format, block, options: input.options };
		return;
	}
	let conversations: InputConversation[] = [];
	let rejects: RejectedRecord[] = [];
	let turns = 0;
	for await (const record of input.read()) {
		if ("messages" in record) conversations.push(record);
		else rejects.push(record);
		turns += "messages" in record ? record.messages.length : 1;
		if (turns < DOCUMENT_BATCH_TURNS) continue;
		yield { id: nextId(), file, kind: "conversations", conversations, rejects };
		conversations = [];
		rejects = [];
		turns = 0;
	}
	if (turns > 0) yield { id: nextId(), file, kind: "conversations", conversations, rejects };
}

export function noCounts(): RunCounts {
	return { records: 0, turns_in: 0, stored: 0, skipped: 0, rejected_turns: 0, rejected: 0 };
}

function count(all: readonly RunCounts[], turns: number, { records = 0, stored = 0, skipped = 0, rejected_turns = 0, rejected = 0 }: Partial<RunCounts>): void {
	for (const counts of all) {
		counts.turns_in += turns;
		counts.records += records;
		counts.stored += stored;
		counts.skipped += skipped;
		counts.rejected_turns += rejected_turns;
		counts.rejected += rejected;
	}
}

/** A shard keeps its own sessions only; rejects without a session go to every shard's rejects file. */
function keepTaken(result: WorkerResult, takes: (externalId: string) => boolean): WorkerResult {
	const keep = result.batch.conversations.map(({ external_id }) => takes(external_id));
	return {
		...result,
		batch: { columns: result.batch.columns, conversations: result.batch.conversations.filter((_, at) => keep[at]) },
		places: result.places.filter((_, at) => keep[at]),
	};
}

/** A conversation that the store refused, written so that it can be mended and run again. */
function toReject(file: string, { batch, places }: WorkerResult, at: number, error: LabelError): Reject {
	const { start, end, external_id, end_user_external_id, title } = batch.conversations[at] as WorkerResult["batch"]["conversations"][number];
	const place = places[at] as WorkerResult["places"][number];
	const { columns } = batch;
	const messages = Array.from({ length: end - start }, (_, offset) => {
		const index = start + offset;
		const time = columns.created_at[index] as number;
		return {
			role: ROLES[columns.role[index] as number],
			content: columns.content[index],
			external_id: columns.external_id[index] ?? undefined,
			created_at: Number.isNaN(time) ? undefined : new Date(time).toISOString(),
		};
	});
	return {
		file,
		line: place.line,
		record: place.record,
		code: error.code,
		message: error.message,
		raw: JSON.stringify({ external_id, end_user_external_id, title: title ?? undefined, messages }),
		turns: end - start,
	};
}
