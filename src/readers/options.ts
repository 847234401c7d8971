/** How inputs are to be read; plain data, so that it travels to workers. */
export interface ReadOptions {
	/** Name of a format; detected from content when absent. */
	format?: string | undefined;
	/** Other column names: the product's name -> the file's (`content` -> `body`). */
	map?: Record<string, string> | undefined;
	/** Other role values: the file's, in lower case -> the product's (`visitor` -> `user`). */
	roleMap?: Record<string, string> | undefined;
	/** Sort the messages of a conversation by time; default: the file's order. */
	sortBy?: "created_at" | undefined;
	/** CSV: delimiter and header, found in the first block. */
	csv?: { delimiter: string; columns: string[] } | undefined;
}

/** Where a block stands in its file. */
export interface BlockContext {
	/** Line number of the block's first byte, and number of its first record (both from 1). */
	firstLine: number;
	firstRecord: number;
	options: ReadOptions;
}
