import { SIGNALS } from "../../types.js";

const SCORE_COLUMNS = SIGNALS.map((signal) => `\t${signal} REAL NOT NULL`).join(",\n");
const VIEW_SCORES = SIGNALS.map((signal) => `\tm.${signal}`).join(",\n");

const ENUM_FIELDS = ["level", "subject", "target", "ideation", "intent", "plan", "means", "method", "timeframe", "attempt"];
const FLAG_FIELDS = ["preparation", "history", "protective", "danger_from_others"];
const VIEW_IMMINENCE = [
	...ENUM_FIELDS.map((field) => `\tcoalesce(m.imminence ->> '${field}', 'none') AS imminence_${field}`),
	...FLAG_FIELDS.map((field) => `\tcoalesce(m.imminence ->> '${field}', 0) AS imminence_${field}`),
].join(",\n");

const level = (column: string) => `CASE ${column} WHEN 0 THEN 'R0' WHEN 1 THEN 'R1-mid' WHEN 2 THEN 'R1-high' ELSE 'R2' END`;
const time = (column: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`;

/**
 * Tables, indexes and views as of the first version. `docs/database.md` documents every column and says why.
 *
 * A message's id is `session id * 2^20 + turn`: the primary key alone finds a session's turns in order, with no second index to fill
 * (measured: as fast as a bare table, where UNIQUE (session, turn) costs 30%).
 */
export const firstSchema = {
	id: 1,
	name: "first-schema",
	sql: `
CREATE TABLE tenants (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	name TEXT NOT NULL UNIQUE,
	key_hash TEXT UNIQUE,
	created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE end_users (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	tenant_id INTEGER NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
	external_id TEXT NOT NULL,
	UNIQUE (tenant_id, external_id)
) STRICT;

CREATE TABLE policies (
	hash TEXT PRIMARY KEY,
	policy TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE scorer_versions (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL,
	version TEXT NOT NULL,
	lexicon TEXT NOT NULL,
	model TEXT NOT NULL,
	policy_hash TEXT NOT NULL REFERENCES policies (hash),
	UNIQUE (name, version, lexicon, model, policy_hash)
) STRICT;

CREATE TABLE sessions (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	tenant_id INTEGER NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
	end_user_id INTEGER NOT NULL REFERENCES end_users (id) ON DELETE CASCADE,
	external_id TEXT NOT NULL,
	title TEXT,
	status TEXT NOT NULL DEFAULT 'active' CHECK (status = 'active'),
	started_at INTEGER NOT NULL,
	last_message_at INTEGER NOT NULL,
	message_count INTEGER NOT NULL,
	srs REAL,
	r_level INTEGER NOT NULL CHECK (r_level BETWEEN 0 AND 3),
	state TEXT,
	UNIQUE (tenant_id, external_id)
) STRICT;

CREATE INDEX sessions_recent ON sessions (tenant_id, last_message_at DESC, id DESC, r_level);
CREATE INDEX sessions_risk ON sessions (tenant_id, coalesce(srs, -1) DESC, id DESC);
CREATE INDEX sessions_end_user ON sessions (end_user_id, last_message_at DESC, id DESC);

CREATE TABLE messages (
	id INTEGER PRIMARY KEY,
	role INTEGER NOT NULL CHECK (role BETWEEN 0 AND 3),
	content_hash INTEGER NOT NULL,
	external_id TEXT,
	created_at INTEGER,
	prs REAL NOT NULL,
	r_level INTEGER NOT NULL CHECK (r_level BETWEEN 0 AND 3),
${SCORE_COLUMNS},
	session_srs REAL NOT NULL,
	session_r_level INTEGER NOT NULL CHECK (session_r_level BETWEEN 0 AND 3),
	coverage INTEGER NOT NULL CHECK (coverage BETWEEN 0 AND 2),
	scorer_version_id INTEGER NOT NULL,
	language TEXT NOT NULL,
	imminence TEXT,
	evidence TEXT,
	content TEXT,
	session_id INTEGER NOT NULL GENERATED ALWAYS AS (id >> 20) VIRTUAL,
	turn INTEGER NOT NULL GENERATED ALWAYS AS (id & 1048575) VIRTUAL
) STRICT;

CREATE UNIQUE INDEX messages_external_id ON messages (session_id, external_id) WHERE external_id IS NOT NULL;

CREATE TRIGGER sessions_delete_messages AFTER DELETE ON sessions BEGIN
	DELETE FROM messages WHERE id >= old.id << 20 AND id < (old.id + 1) << 20;
END;

CREATE VIEW turns AS
SELECT
	m.id AS message_id,
	t.name AS tenant,
	s.id AS session_id,
	s.external_id AS session_external_id,
	u.external_id AS end_user_external_id,
	m.turn,
	m.external_id,
	CASE m.role WHEN 0 THEN 'user' WHEN 1 THEN 'assistant' WHEN 2 THEN 'system' ELSE 'tool' END AS role,
	${time("m.created_at")} AS created_at,
	m.content,
	m.prs,
	${level("m.r_level")} AS r_level,
${VIEW_SCORES},
${VIEW_IMMINENCE},
	m.imminence -> 'since' AS imminence_since,
	m.session_srs,
	${level("m.session_r_level")} AS session_r_level,
	coalesce(m.evidence, '[]') AS evidence,
	m.language,
	CASE m.coverage WHEN 0 THEN 'full' WHEN 1 THEN 'partial' ELSE 'none' END AS coverage,
	v.name || ' ' || v.version || ' ' || v.lexicon || ' ' || v.model AS scorer_version,
	v.policy_hash
FROM messages m
JOIN sessions s ON s.id = m.id >> 20 AND m.id >= s.id << 20 AND m.id < (s.id + 1) << 20
JOIN end_users u ON u.id = s.end_user_id
JOIN tenants t ON t.id = s.tenant_id
JOIN scorer_versions v ON v.id = m.scorer_version_id;

CREATE VIEW session_risk AS
SELECT
	s.id AS session_id,
	t.name AS tenant,
	s.external_id AS session_external_id,
	u.external_id AS end_user_external_id,
	s.title,
	s.status,
	${time("s.started_at")} AS started_at,
	${time("s.last_message_at")} AS last_message_at,
	s.message_count,
	s.srs,
	${level("s.r_level")} AS r_level,
	(SELECT coalesce(m.imminence ->> 'level', 'none') FROM messages m WHERE m.id = (s.id << 20) + s.message_count - 1) AS imminence_level,
	(SELECT m.turn FROM messages m WHERE m.id >= s.id << 20 AND m.id < (s.id + 1) << 20 ORDER BY m.prs DESC, m.id LIMIT 1) AS riskiest_turn
FROM sessions s
JOIN end_users u ON u.id = s.end_user_id
JOIN tenants t ON t.id = s.tenant_id;
`,
};
