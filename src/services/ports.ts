/**
 * What the services need of a store. The store implements these interfaces and nothing of its own language (SQL, rows, statements) crosses them.
 *
 * Everything is synchronous on purpose: appending reads a session's state, folds, and writes it back, and no other append may come
 * between. One process does that without locks when nothing awaits in the middle; several processes do it inside `Store.transaction`,
 * which holds the write lock from its first line.
 */
import type { RLevel, Role } from "../types.js";
import type { TurnColumns } from "./turn-columns.js";

export type { TurnColumns };

/** `run`: a commit survives a crash of the program (fast bulk load). `serve`: a commit survives a loss of power (fsync on every commit). */
export type Durability = "run" | "serve";

export interface TenantRecord {
	id: number;
	name: string;
	/** Milliseconds since 1970 UTC. */
	created_at: number;
	/** False for a tenant that `label run` made on demand and that nobody gave a key yet. */
	has_key: boolean;
}

export interface TenantStore {
	/** @throws LabelError `conflict` when the name is taken */
	insert(name: string, keyHash: string | null, createdAt: number): TenantRecord;
	list(): TenantRecord[];
	findByName(name: string): TenantRecord | null;
	/** `keyHash` is the hex SHA-256 of the whole key. */
	findByKeyHash(keyHash: string): TenantRecord | null;
	/** Replaces the tenant's one key. */
	setKeyHash(id: number, keyHash: string): void;
	/** Erases the tenant with all its end users, sessions and messages. */
	remove(id: number): void;
}

/** A session as stored. Times are milliseconds since 1970 UTC. */
export interface SessionRecord {
	id: number;
	tenant_id: number;
	external_id: string;
	end_user_id: number;
	end_user_external_id: string;
	title: string | null;
	started_at: number;
	/** Time of the latest message; equals `started_at` until a message with a time arrives. */
	last_message_at: number;
	r_level: RLevel;
	srs: number | null;
	status: "active";
	/** Number of turns stored = the 0-based place of the next one. */
	message_count: number;
}

/** The part of a session that an append reads and writes. */
export interface SessionHead {
	id: number;
	message_count: number;
	started_at: number;
	last_message_at: number;
	/** JSON of the `SessionState` after the last stored turn; null before the first. */
	state: string | null;
}

/** What an append leaves on the session. */
export interface SessionProgress {
	message_count: number;
	last_message_at: number;
	state: string | null;
	srs: number | null;
	/** Index into `R_LEVELS`. */
	r_level: number;
}

export interface NewSession extends SessionProgress {
	tenant_id: number;
	external_id: string;
	end_user_id: number;
	title: string | null;
	started_at: number;
}

/** Which sessions. Every field narrows; a session must satisfy all of them. */
export interface SessionFilter {
	tenant_id: number;
	end_user_external_id?: string | undefined;
	/** This level or higher. */
	r_level?: RLevel | undefined;
	/** `last_message_at` at or after, milliseconds. */
	since?: number | undefined;
	/** `last_message_at` before, milliseconds. */
	until?: number | undefined;
	/** Some stored message, the title or the external id contains this text, ASCII letters in either case. */
	text?: string | undefined;
}

/** `recent`: latest message first. `risk`: highest `srs` first. Ties by id, descending. */
export type SessionOrder = "recent" | "risk";

export interface SessionQuery extends SessionFilter {
	order: SessionOrder;
	limit: number;
	/** The last row of the page before: its sort value (`last_message_at`, or `srs` with null as -1) and its id. */
	after?: { value: number; id: number } | undefined;
}

export interface SessionStore {
	/** Id of the end user of that name, made when it is new. */
	endUser(tenantId: number, externalId: string): number;
	/** Makes a session; the id is never one that was used before. @throws LabelError `conflict` when the external id is taken */
	insert(session: NewSession): number;
	/** The head of the tenant's session of that external id. */
	findHead(tenantId: number, externalId: string): SessionHead | null;
	/** The head by id; null too when the session is another tenant's. */
	getHead(tenantId: number, id: number): SessionHead | null;
	find(tenantId: number, externalId: string): SessionRecord | null;
	/** Null when there is no such session or it is another tenant's. */
	get(tenantId: number, id: number): SessionRecord | null;
	list(query: SessionQuery): SessionRecord[];
	/** Writes what an append changed. */
	update(id: number, progress: SessionProgress): void;
}

/** A session holds fewer turns than this: message ids are `session id * 2^20 + turn` (docs/database.md says why). */
export const MAX_TURNS = 2 ** 20;

/** What tells whether an incoming message is a stored one. It is kept even where the text is not. */
export interface MessageIdentity {
	external_id: string | null;
	/** 53-bit hash of role and content (`contentHash`). */
	content_hash: number;
}

/** Turns `start` (included) to `end` (excluded) of the columns become turns `turn`, `turn + 1`... of the session. */
export interface TurnSlice {
	session_id: number;
	turn: number;
	start: number;
	end: number;
}

/** A stored message, still packed: `toStoredMessage` makes the label of it. */
export interface MessageRow {
	id: number;
	session_id: number;
	/** 0-based place in the session. */
	turn: number;
	session_external_id: string;
	end_user_external_id: string;
	external_id: string | null;
	role: Role;
	/** Null when it was stored without content. */
	content: string | null;
	created_at: number | null;
	/** Ten scores in the order of `SIGNALS`. */
	scores: number[];
	prs: number;
	r_level: number;
	session_srs: number;
	session_r_level: number;
	imminence: string | null;
	evidence: string | null;
	language: string;
	coverage: number;
	scorer_version_id: number;
}

/** Which messages, in the order of session id and turn. */
export interface MessageFilter {
	tenant_id: number;
	session_id?: number | undefined;
	end_user_external_id?: string | undefined;
	/** Turns of this level or higher. */
	r_level?: RLevel | undefined;
	/** Turns of sessions of this level or higher. */
	session_r_level?: RLevel | undefined;
	/** `created_at` at or after, milliseconds; a turn without a time counts with its session's `last_message_at`. */
	since?: number | undefined;
	/** The same, before. */
	until?: number | undefined;
}

export interface MessageStore {
	/** Stores turns; with `keepContent` false neither the text nor anything of it but its hash. */
	insert(columns: TurnColumns, slices: readonly TurnSlice[], options: { scorerVersionId: number; keepContent: boolean }): void;
	/** Identities of the turns from `fromTurn` on, in order. */
	identities(sessionId: number, fromTurn: number): Iterable<MessageIdentity>;
	/** The session's message of that external id: its turn and its hash; null when there is none. */
	findByExternalId(sessionId: number, externalId: string): { turn: number; content_hash: number } | null;
	/** Whether some message of the session carries an external id. */
	hasExternalIds(sessionId: number): boolean;
	get(sessionId: number, turn: number): MessageRow | null;
	/** Reads page by page and holds nothing open between two pages, so that writes may come between. */
	iterate(filter: MessageFilter): Iterable<MessageRow>;
	/** Removes the session's turns from `fromTurn` on (`--on-conflict replace`, rescoring); the session stays. */
	truncate(sessionId: number, fromTurn: number): void;
}

/** The scorer and the policy that made a label, as stored once for many turns. */
export interface StoredScorerVersion {
	id: number;
	name: string;
	version: string;
	lexicon: string;
	model: string;
	/** SHA-256 (hex) of the policy's JSON. */
	policy_hash: string;
	/** JSON of the policy. */
	policy: string;
}

export interface ScorerVersionStore {
	/** Id of that scorer with that policy, stored when it is new. */
	idOf(version: Omit<StoredScorerVersion, "id">): number;
	get(id: number): StoredScorerVersion | null;
	/** All that labelled some turn, oldest first. */
	list(): StoredScorerVersion[];
}

/** How far the pieces of a session have come in this run (message-a-line shapes); forgotten when the store is closed. */
export interface Piece {
	/** Number of the input file in the run. */
	file: number;
	/** Turn after the last one seen in that file. */
	next: number;
	/** Turn after the last one seen in any file of the run. */
	end: number;
}

/** Kept on disk, so that the memory of a run does not grow with the number of its sessions. */
export interface PieceStore {
	get(sessionId: number): Piece | null;
	set(sessionId: number, piece: Piece): void;
}

/** A score from which a signal counts as clearly present (labelling guide, section 2). */
export const CLEAR = 0.5;

/** A tenant's sessions, in all and in the order of `R_LEVELS`. */
export interface SessionCounts {
	sessions: number;
	sessions_by_level: number[];
}

/** Counts over a tenant's sessions and turns. Arrays by level follow `R_LEVELS`. */
export interface SummaryCounts extends SessionCounts {
	turns: number;
	turns_by_level: number[];
	/** Turns whose score of the signal is at least `CLEAR`, in the order of `SIGNALS`. */
	turns_by_signal: number[];
	/** Sessions with at least one such turn, in the order of `SIGNALS`. */
	sessions_by_signal: number[];
	/** Turns by coverage, in the order of `COVERAGES`. */
	turns_by_coverage: number[];
}

/** What an erasure removed. */
export interface Erased {
	sessions: number;
	messages: number;
}

/** Erasure overwrites what it removes (`secure_delete`); `compact` also gives the space back and empties the journal. */
export interface ErasureStore {
	session(tenantId: number, id: number): Erased;
	/** The end user, with all sessions. */
	endUser(tenantId: number, externalId: string): Erased;
	/** Sessions whose last message is older; milliseconds since 1970 UTC. End users without any session left go too. */
	olderThan(tenantId: number, time: number): Erased;
	/** Rewrites the file without free pages and truncates the journal. Not inside a transaction. */
	compact(): void;
}

export interface Store {
	/** Path of the database. */
	readonly path: string;
	/**
	 * Runs `work` as one write transaction, holding the write lock from its beginning; rolls back when it throws. Inside another one it simply runs.
	 * @throws LabelError `database_busy` when another process keeps the lock too long, `disk_full`, `database_unreadable`
	 */
	transaction<T>(work: () => T): T;
	readonly tenants: TenantStore;
	readonly sessions: SessionStore;
	readonly messages: MessageStore;
	readonly scorerVersions: ScorerVersionStore;
	readonly pieces: PieceStore;
	readonly erasure: ErasureStore;
	summary(tenantId: number): SummaryCounts;
	/** The part of the summary that needs no look at the messages. */
	sessionCounts(tenantId: number): SessionCounts;
	/** A number that changes when another connection, of this process or any other, writes. */
	dataVersion(): number;
	/** A read that proves the database answers. @throws LabelError `database_unreadable`, `database_busy` */
	ping(): void;
	/** Checkpoints and closes. */
	close(): void;
}
