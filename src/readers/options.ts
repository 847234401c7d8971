import type { InputConversation, RejectedRecord } from "./types.js";

/** How inputs are to be read; plain JSON, so that it travels to workers. */
export interface ReadOptions {
	/** Name of a format (`FORMATS`); told from the content when absent. */
	format?: string | undefined;
	/** Other field or column names: the product's name -> the file's (`content` -> `body`). */
	map?: Record<string, string> | undefined;
	/** Other role values: the file's, in lower case -> the product's (`visitor` -> `user`). */
	roleMap?: Record<string, string> | undefined;
	/** Sort the messages of a conversation by time; null or absent: the file's order. */
	sortBy?: "created_at" | null | undefined;
	/** Authors of a chat export whose messages are the assistant's (`--me`, `--assistant`: both name the side that is not labelled as end user). */
	me?: string[] | undefined;
	assistant?: string[] | undefined;
	/** Delimiter of CSV; sniffed when absent. */
	delimiter?: string | undefined;
	/** Set by `openInput`: name of the file without folder and extension, for chats whose export does not name them. */
	name?: string | undefined;
	/** Set by `openInput`: delimiter and header of a CSV file. */
	csv?: { delimiter: string; columns: string[] } | undefined;
}

/** Where a block stands in its file. */
export interface BlockContext {
	/** Line number of the block's first byte, and number of its first record (both from 1). */
	firstLine: number;
	firstRecord: number;
	options: ReadOptions;
}

/** Where a record stands: line of its first byte, and its number (both from 1). */
export interface Place {
	line: number;
	record: number;
}

/** What a block holds: conversations in the order of the file, and the records that could not be read. */
export interface Parsed {
	conversations: InputConversation[];
	rejects: RejectedRecord[];
}
