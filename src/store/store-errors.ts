import Database from "better-sqlite3";
import { LabelError } from "../errors.js";

/**
 * Turns a fault of SQLite into an error that says what to do; anything else comes back as it is.
 * @param path - the database, for the message
 */
export function toLabelError(error: unknown, path: string): unknown {
	if (error instanceof TypeError && /directory does not exist/.test(error.message)) {
		return new LabelError("file_not_found", `the folder of ${path} does not exist: make it first`, { cause: error });
	}
	if (!(error instanceof Database.SqliteError)) return error;
	const { code } = error;
	// The last two: no room for the index of the journal, and a quota or a limit of the file size (ulimit -f).
	if (code === "SQLITE_FULL" || code === "SQLITE_IOERR_SHMSIZE" || code === "SQLITE_IOERR_WRITE")
		return new LabelError("disk_full", `no space left for ${path}: what was stored before is intact; free some space and run the same command again`, {
			cause: error,
		});
	if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED")) {
		return new LabelError("database_busy", `${path} is being written by another process: try again in a moment`, { cause: error });
	}
	if (code === "SQLITE_NOTADB") return new LabelError("database_unreadable", `${path} is not a database: choose another file with --db`, { cause: error });
	if (code.startsWith("SQLITE_CORRUPT"))
		return new LabelError("database_unreadable", `${path} is damaged: restore a copy, or try sqlite3's .recover`, { cause: error });
	if (code.startsWith("SQLITE_READONLY")) return new LabelError("database_unreadable", `${path} can not be written: check its permissions`, { cause: error });
	if (code.startsWith("SQLITE_CANTOPEN") || code.startsWith("SQLITE_IOERR") || code === "SQLITE_PERM" || code === "SQLITE_AUTH") {
		return new LabelError("database_unreadable", `${path} can not be opened or read (${code}): check the path and its permissions`, { cause: error });
	}
	return error;
}
