import type { ErrorCode } from "../errors.js";
import type { Role } from "../types.js";

/** One message of a record, validated, before it has a place in a session. */
export interface InputMessage {
	role: Role;
	/** Non-empty. Text parts of an array content are joined with a newline. */
	content: string;
	/** The client's id of the message; null when none. */
	external_id: string | null;
	/** Milliseconds since 1970 UTC; null when the export has none. */
	created_at: number | null;
}

/** A conversation, or a run of consecutive messages of one session (message-a-line shapes), in the order of the file. */
export interface InputConversation {
	/** Null when the record names none; the run then uses `<file name>#<record number>`. */
	external_id: string | null;
	end_user_external_id: string | null;
	title: string | null;
	started_at: number | null;
	messages: InputMessage[];
	/** Where it stood: 1-based line (or record) of its first byte, and number of the record in the file (1-based). */
	line: number;
	record: number;
	/** Raw records that went into it: 1 for a conversation a line, one a message for message-a-line shapes. */
	records: number;
	/** True for message-a-line shapes: the session may go on in a later block, so these messages may be a piece of it. */
	piece?: boolean;
	/** Where one record without an id holds several conversations: tells them apart; the run then uses `<file name>#<record number>/<part>`. */
	part?: string;
}

/** A raw record that could not be read. It is written to the rejects file with its raw text and counted. */
export interface RejectedRecord {
	line: number;
	record: number;
	code: ErrorCode;
	/** Says what and where, never message text. */
	message: string;
	/** The record as it stood in the file (for JSONL: the line; binary as latin1); may be cut at 1 MiB. */
	raw: string;
	/** Messages in it that are lost with it, when they could be counted, else 1. */
	turns: number;
}
