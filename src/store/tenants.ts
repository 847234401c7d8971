import Database from "better-sqlite3";
import { LabelError } from "../errors.js";
import type { TenantRecord, TenantStore } from "../services/ports.js";

const COLUMNS = "id, name, created_at, key_hash IS NOT NULL AS has_key";
type Row = Omit<TenantRecord, "has_key"> & { has_key: number };

/** The table `tenants`. */
export function createTenantStore(database: Database.Database): TenantStore {
	const insert = database.prepare<[string, string | null, number], Row>(
		`INSERT INTO tenants (name, key_hash, created_at) VALUES (?, ?, ?) RETURNING ${COLUMNS}`,
	);
	const list = database.prepare<[], Row>(`SELECT ${COLUMNS} FROM tenants ORDER BY id`);
	const byName = database.prepare<[string], Row>(`SELECT ${COLUMNS} FROM tenants WHERE name = ?`);
	const byKeyHash = database.prepare<[string], Row>(`SELECT ${COLUMNS} FROM tenants WHERE key_hash = ?`);
	const setKeyHash = database.prepare<[string, number]>("UPDATE tenants SET key_hash = ? WHERE id = ?");
	const remove = database.prepare<[number]>("DELETE FROM tenants WHERE id = ?");

	return {
		insert(name, keyHash, createdAt) {
			try {
				return toRecord(insert.get(name, keyHash, createdAt) as Row);
			} catch (error) {
				if (error instanceof Database.SqliteError && error.code === "SQLITE_CONSTRAINT_UNIQUE") {
					throw new LabelError("conflict", `there is a tenant ${JSON.stringify(name)} already`, { cause: error, param: "name" });
				}
				throw error;
			}
		},
		list: () => list.all().map(toRecord),
		findByName: (name) => toRecordOrNull(byName.get(name)),
		findByKeyHash: (keyHash) => toRecordOrNull(byKeyHash.get(keyHash)),
		setKeyHash: (id, keyHash) => void setKeyHash.run(keyHash, id),
		remove: (id) => void remove.run(id),
	};
}

function toRecord(row: Row): TenantRecord {
	return { ...row, has_key: row.has_key === 1 };
}

function toRecordOrNull(row: Row | undefined): TenantRecord | null {
	return row === undefined ? null : toRecord(row);
}
