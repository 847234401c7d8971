import type Database from "better-sqlite3";
import type { ScorerVersionStore, StoredScorerVersion } from "../services/ports.js";

const SELECT = "SELECT v.id, v.name, v.version, v.lexicon, v.model, v.policy_hash, p.policy FROM scorer_versions v JOIN policies p ON p.hash = v.policy_hash";

/** The tables `scorer_versions` and `policies`: one row for many turns. */
export function createScorerVersionStore(database: Database.Database): ScorerVersionStore {
	const find = database
		.prepare<[string, string, string, string, string], number>(
			"SELECT id FROM scorer_versions WHERE name = ? AND version = ? AND lexicon = ? AND model = ? AND policy_hash = ?",
		)
		.pluck();
	const insertPolicy = database.prepare<[string, string]>("INSERT INTO policies (hash, policy) VALUES (?, ?) ON CONFLICT DO NOTHING");
	const insert = database.prepare<[string, string, string, string, string]>(
		"INSERT INTO scorer_versions (name, version, lexicon, model, policy_hash) VALUES (?, ?, ?, ?, ?)",
	);
	const get = database.prepare<[number], StoredScorerVersion>(`${SELECT} WHERE v.id = ?`);
	const list = database.prepare<[], StoredScorerVersion>(`${SELECT} ORDER BY v.id`);

	return {
		idOf({ name, version, lexicon, model, policy_hash, policy }) {
			const id = find.get(name, version, lexicon, model, policy_hash);
			if (id !== undefined) return id;
			insertPolicy.run(policy_hash, policy);
			return Number(insert.run(name, version, lexicon, model, policy_hash).lastInsertRowid);
		},
		get: (id) => get.get(id) ?? null,
		list: () => list.all(),
	};
}
