import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { MIGRATIONS, SCHEMA_VERSION } from "../../src/store/migrations/index.js";
import { openStore } from "../../src/store/open-store.js";
import { openTestStore } from "../helpers/open-test-store.js";
import { tempDir } from "../helpers/temp-dir.js";

describe("openStore", () => {
	it("makes a database that sqlite3 and its users know: WAL, STRICT tables, foreign keys, the two views", () => {
		const path = join(tempDir(), "label.db");
		openStore(path).close();
		const database = new Database(path, { readonly: true });
		expect(database.pragma("journal_mode", { simple: true })).toBe("wal");
		expect(database.pragma("page_size", { simple: true })).toBe(8192);
		expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
		const tables = database
			.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND strict = 0")
			.all();
		expect(tables).toEqual([]);
		expect(database.prepare("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name").pluck().all()).toEqual(["session_risk", "turns"]);
		database.close();
	});

	it("records each migration once, and opening again changes nothing", () => {
		const path = join(tempDir(), "label.db");
		openStore(path).close();
		const bytes = readFileSync(path);
		openStore(path).close();
		expect(readFileSync(path).equals(bytes)).toBe(true);
		const database = new Database(path, { readonly: true });
		expect(database.prepare("SELECT id, name FROM migrations ORDER BY id").all()).toEqual(MIGRATIONS.map(({ id, name }) => ({ id, name })));
		expect(MIGRATIONS.map(({ id }) => id)).toEqual(MIGRATIONS.map((_, i) => i + 1));
		database.close();
	});

	it("keeps the promise of each durability in SQLite's own words", () => {
		const path = join(tempDir(), "label.db");
		for (const [durability, synchronous] of [
			["run", 1],
			["serve", 2],
		] as const) {
			const seen: unknown[] = [];
			const original = Database.prototype.pragma;
			Database.prototype.pragma = function (this: Database.Database, source, options) {
				if (/^synchronous/.test(source)) {
					original.call(this, source);
					seen.push(original.call(this, "synchronous", { simple: true }));
				}
				return original.call(this, source, options);
			};
			try {
				openStore(path, { durability }).close();
			} finally {
				Database.prototype.pragma = original;
			}
			expect(seen).toEqual([synchronous]);
		}
	});

	it("refuses a database of a newer program and leaves it alone", () => {
		const path = join(tempDir(), "label.db");
		openStore(path).close();
		const database = new Database(path);
		database.prepare("INSERT INTO migrations (id, name, applied_at) VALUES (?, 'from-the-future', 0)").run(SCHEMA_VERSION + 1);
		database.close();
		expect(() => openStore(path)).toThrow(expect.objectContaining({ name: "LabelError", code: "database_newer", message: expect.stringContaining(path) }));
	});

	it("refuses what is no database, and another program's database, and changes neither", () => {
		const folder = tempDir();
		const text = join(folder, "notes.txt");
		writeFileSync(text, "These are notes, long enough not to be taken for an empty file.\n".repeat(200));
		const before = readFileSync(text);
		expect(() => openStore(text)).toThrow(expect.objectContaining({ code: "database_unreadable", message: expect.stringContaining("is not a database") }));
		expect(readFileSync(text).equals(before)).toBe(true);

		const foreign = join(folder, "foreign.db");
		const database = new Database(foreign);
		database.exec("CREATE TABLE invoices (id INTEGER PRIMARY KEY)");
		database.close();
		expect(() => openStore(foreign)).toThrow(expect.objectContaining({ code: "database_unreadable", message: expect.stringContaining("another program") }));
	});

	it("says which folder is missing, and does not make a database where one must exist", () => {
		const folder = tempDir();
		expect(() => openStore(join(folder, "none", "label.db"))).toThrow(expect.objectContaining({ code: "file_not_found" }));
		const absent = join(folder, "absent.db");
		expect(() => openStore(absent, { create: false })).toThrow(
			expect.objectContaining({ code: "file_not_found", message: expect.stringContaining("absent.db") }),
		);
		expect(existsSync(absent)).toBe(false);
	});

	it("says that a folder is no database", () => {
		const folder = join(tempDir(), "folder.db");
		mkdirSync(folder);
		expect(() => openStore(folder)).toThrow(expect.objectContaining({ code: "database_unreadable" }));
	});

	it.skipIf(process.getuid?.() === 0)("says that a file may not be written", () => {
		const path = join(tempDir(), "label.db");
		openStore(path).close();
		chmodSync(path, 0o444);
		expect(() => openStore(path).tenants.insert("x", null, 0)).toThrow(expect.objectContaining({ code: "database_unreadable" }));
	});

	it("reports a lock that another process does not let go of as database_busy", () => {
		const path = join(tempDir(), "label.db");
		const store = openTestStore({ path, busyTimeout: 50 });
		const other = new Database(path);
		other.exec("BEGIN IMMEDIATE");
		expect(() => store.transaction(() => store.tenants.insert("x", null, 0))).toThrow(expect.objectContaining({ code: "database_busy" }));
		other.exec("ROLLBACK");
		other.close();
		expect(store.transaction(() => store.tenants.insert("x", null, 0)).name).toBe("x");
	});

	it("reports a full disk as disk_full, and what was stored before stays", () => {
		const path = join(tempDir(), "label.db");
		const store = openTestStore({ path });
		store.tenants.insert("first", null, 0);
		store.close();
		const limited = new Database(path);
		const pages = limited.pragma("page_count", { simple: true }) as number;
		limited.close();
		// SQLite's own limit on the number of pages raises the same SQLITE_FULL as a disk without space.
		const original = Database.prototype.pragma;
		Database.prototype.pragma = function (this: Database.Database, source, options) {
			if (source === "foreign_keys = ON") original.call(this, `max_page_count = ${pages}`);
			return original.call(this, source, options);
		};
		const full = openStore(path);
		Database.prototype.pragma = original;
		const name = "x".repeat(3000);
		expect(() => full.transaction(() => Array.from({ length: 50 }, (_, i) => full.tenants.insert(name + i, null, 0)))).toThrow(
			expect.objectContaining({ code: "disk_full" }),
		);
		expect(full.tenants.list().map((tenant) => tenant.name)).toEqual(["first"]);
		full.close();
	});

	it("rolls a failed transaction back to the last statement", () => {
		const store = openTestStore();
		expect(() =>
			store.transaction(() => {
				store.tenants.insert("one", null, 0);
				throw new Error("stop");
			}),
		).toThrow("stop");
		expect(store.tenants.list()).toEqual([]);
	});
});
