import type Database from "better-sqlite3";
import { LabelError } from "../../errors.js";
import { firstSchema } from "./001-first-schema.js";

/** All migrations, in order. A published one is never edited; a change is a new file with the next number. */
export const MIGRATIONS = [firstSchema] as const;

/** Number of the schema that this program works with. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Tells a database of this program from any other: "labl" in ASCII, as SQLite's application_id. */
const APPLICATION_ID = 0x6c61626c;

/**
 * Brings a database up to date, each migration in one transaction with its record. Safe when several processes open a new database at once.
 * @throws LabelError `database_newer` when a later program made it, `database_unreadable` when it is another program's
 */
export function migrate(database: Database.Database): void {
	for (;;) {
		const version = schemaVersion(database);
		if (version > SCHEMA_VERSION) {
			throw new LabelError(
				"database_newer",
				`${database.name} has schema ${version}, this program knows up to ${SCHEMA_VERSION}: use the newer program that made it`,
			);
		}
		if (version === SCHEMA_VERSION) return;
		database
			.transaction(() => {
				// Another process may have been faster between the look and the lock.
				if (schemaVersion(database) !== version) return;
				const migration = MIGRATIONS[version] as (typeof MIGRATIONS)[number];
				if (version === 0) {
					database.pragma(`application_id = ${APPLICATION_ID}`);
					database.exec("CREATE TABLE migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT");
				}
				database.exec(migration.sql);
				database.prepare("INSERT INTO migrations (id, name, applied_at) VALUES (?, ?, ?)").run(migration.id, migration.name, Date.now());
			})
			.immediate();
	}
}

function schemaVersion(database: Database.Database): number {
	const tables = database.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() as number;
	if (tables === 0) return 0;
	if (database.pragma("application_id", { simple: true }) !== APPLICATION_ID) {
		throw new LabelError("database_unreadable", `${database.name} is a database of another program: choose another file with --db`);
	}
	return database.prepare("SELECT max(id) FROM migrations").pluck().get() as number;
}
