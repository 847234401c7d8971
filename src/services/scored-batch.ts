import type { InputMessage } from "../readers/types.js";
import type { Scorer } from "../types.js";
import type { TurnColumns } from "./ports.js";
import { createTurnColumns, pushMessage, scoreTurns } from "./turn-columns.js";

/** A conversation ready to be stored: named, with validated messages. */
export interface NamedConversation {
	external_id: string;
	end_user_external_id: string;
	title: string | null;
	/** Milliseconds since 1970 UTC; null when the record names none. */
	started_at: number | null;
	messages: readonly InputMessage[];
	/** True when the messages may be a piece of a session that goes on elsewhere in the input (message-a-line shapes). */
	piece?: boolean | undefined;
}

/** A conversation of a batch: its messages stand at places `start` to `end` (excluded) of the columns. */
export interface BatchConversation extends Omit<NamedConversation, "messages"> {
	start: number;
	end: number;
	/** JSON of the state after the last message when the conversation was folded from a session's start; null when it was not scored yet. */
	state: string | null;
}

/** Many conversations as columns: plain data, so that a worker thread can hand it over. */
export interface ConversationBatch {
	columns: TurnColumns;
	conversations: BatchConversation[];
}

/** An empty batch with room for `capacity` turns; it grows. */
export function createBatch(capacity: number): ConversationBatch {
	return { columns: createTurnColumns(capacity), conversations: [] };
}

/** Adds a conversation without scoring it. */
export function addConversation(batch: ConversationBatch, conversation: NamedConversation): BatchConversation {
	const { messages, ...named } = conversation;
	const start = batch.columns.count;
	for (const message of messages) pushMessage(batch.columns, message);
	const added = { ...named, start, end: batch.columns.count, state: null };
	batch.conversations.push(added);
	return added;
}

/**
 * Adds a conversation and folds it from the start of a session: the work of a run's worker thread. When the session turns out to be
 * stored already, storing scores what is new again, on top of the stored state.
 * @param options.keepContent - false leaves the text out of the evidence (`--no-content`); the columns keep the text, which storing needs
 */
export function addScoredConversation(
	batch: ConversationBatch,
	conversation: NamedConversation,
	options: { scorer: Scorer; keepContent: boolean },
): BatchConversation {
	const added = addConversation(batch, conversation);
	added.state = JSON.stringify(scoreTurns(batch.columns, added.start, added.end, options.scorer.start(), options));
	return added;
}
