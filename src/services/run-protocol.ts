import type { Block } from "../readers/blocks.js";
import type { ReadOptions } from "../readers/index.js";
import type { InputConversation, RejectedRecord } from "../readers/types.js";
import type { Policy } from "../types.js";
import type { ConversationBatch } from "./scored-batch.js";

/** What a worker needs once, at its start; plain data. */
export interface WorkerSetup {
	policy: Policy | undefined;
	/** See `OpenScorerOptions`. `off`: every turn is labelled R0 without being read (`--scorer none`, for benchmarks only). */
	modelFile: string | null | undefined;
	scoring: "on" | "off";
	keepContent: boolean;
	/** End user of conversations that name none. */
	endUser: string;
}

/** A piece of input: a block of a block format still to be parsed, or conversations that were parsed already. */
export type WorkerJob = { id: number; file: string } & (
	| { kind: "block"; format: string; block: Block; options: ReadOptions }
	| { kind: "conversations"; conversations: InputConversation[]; rejects: RejectedRecord[] }
);

/** A job done: scored conversations, ready to be stored, and the records that could not be read. */
export interface WorkerResult {
	id: number;
	file: string;
	batch: ConversationBatch;
	/** Line and number of records of each conversation of the batch, in its order. */
	places: { line: number; record: number; records: number }[];
	rejects: RejectedRecord[];
}
