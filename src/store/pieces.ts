import type Database from "better-sqlite3";
import type { Piece, PieceStore } from "../services/ports.js";

/** A temporary table of this connection: SQLite keeps it in a file of its own beyond a small cache, and drops it on close. */
export function createPieceStore(database: Database.Database): PieceStore {
	database.exec('CREATE TEMP TABLE pieces (session_id INTEGER PRIMARY KEY, file INTEGER NOT NULL, next INTEGER NOT NULL, "end" INTEGER NOT NULL) STRICT');
	const get = database.prepare<[number], Piece>('SELECT file, next, "end" FROM temp.pieces WHERE session_id = ?');
	const set = database.prepare<[number, number, number, number]>('INSERT OR REPLACE INTO temp.pieces (session_id, file, next, "end") VALUES (?, ?, ?, ?)');
	return {
		get: (sessionId) => get.get(sessionId) ?? null,
		set: (sessionId, { file, next, end }) => void set.run(sessionId, file, next, end),
	};
}
