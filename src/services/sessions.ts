import { createHash, randomUUID } from "node:crypto";
import { LabelError } from "../errors.js";
import type { InputMessage } from "../readers/types.js";
import { R_LEVELS, type RLevel, type Scorer, type ScorerVersion, type SessionState } from "../types.js";
import { contentHash, toStorableText } from "./content-hash.js";
import { MAX_TURNS, type MessageFilter, type SessionHead, type SessionOrder, type SessionRecord, type Store } from "./ports.js";
import { addConversation, type ConversationBatch, createBatch, type NamedConversation } from "./scored-batch.js";
import { type StoredConversation, type StoreOptions, storeBatch } from "./store-conversations.js";
import { type LabelledMessage, type StoredMessage, toStoredEvidence, toStoredMessage } from "./stored-label.js";
import { createTurnColumns, pushMessage, setLabel } from "./turn-columns.js";

export interface SessionsParts {
	store: Store;
	scorer: Scorer;
	/** Milliseconds since 1970 UTC. Default: the system's clock. */
	clock?: (() => number) | undefined;
	/** A new external id. Default: a random UUID. */
	newId?: (() => string) | undefined;
	/** False stores neither text nor evidence text. Default true. */
	keepContent?: boolean | undefined;
}

export interface SessionInput {
	external_id?: string | undefined;
	end_user_external_id: string;
	title?: string | null | undefined;
}

export interface SessionListQuery {
	end_user_external_id?: string | undefined;
	/** This level or higher. */
	r_level?: RLevel | undefined;
	/** Time of the latest message, milliseconds: at or after, and before. */
	since?: number | undefined;
	until?: number | undefined;
	/** Contained in some message, the title or the external id. */
	text?: string | undefined;
	/** Default `recent`. */
	order?: SessionOrder | undefined;
	/** 1 or more. */
	limit: number;
	/** `next_cursor` of the page before. */
	cursor?: string | undefined;
}

export interface SessionPage {
	data: SessionRecord[];
	has_more: boolean;
	next_cursor: string | null;
}

/** Where an appended message stands. */
export interface Appended {
	/** 0-based place in the session. */
	turn: number;
	/** True when the message was stored before under the same external id: nothing was stored now. */
	replayed: boolean;
}

/** The one way in to sessions, for the command line and for the API. Tenants' ids come from `createTenants`. */
export type Sessions = ReturnType<typeof createSessions>;

/** Makes the service of sessions over a store and a scorer. Every method that writes does it in one transaction. */
export function createSessions({ store, scorer, clock = Date.now, newId = randomUUID, keepContent = true }: SessionsParts) {
	const policy = JSON.stringify(scorer.policy);
	const version = { ...scorer.version, policy, policy_hash: createHash("sha256").update(policy).digest("hex") };
	const versions = new Map<number, ScorerVersion>();
	let registered: number | null = null;
	const context = { store, scorer, clock, versionId: () => registered ?? store.scorerVersions.idOf(version) };

	function scorerVersion(id: number): ScorerVersion {
		let found = versions.get(id);
		if (found === undefined) {
			const stored = store.scorerVersions.get(id);
			if (stored === null) throw new LabelError("database_unreadable", `scorer version ${id} is missing in ${store.path}`);
			found = { name: stored.name, version: stored.version, lexicon: stored.lexicon, model: stored.model };
			versions.set(id, found);
		}
		return found;
	}

	/** Folds a message on top of a stored session and stores it. */
	function appendTo(head: SessionHead, input: InputMessage): LabelledMessage {
		const turn = head.message_count;
		if (turn + 1 >= MAX_TURNS) throw new LabelError("too_large", `a session holds at most ${MAX_TURNS - 1} messages`);
		const createdAt = input.created_at ?? clock();
		const columns = createTurnColumns(1);
		pushMessage(columns, { ...input, created_at: createdAt });
		const content = columns.content[0] as string;
		const { label, state } = scorer.step(head.state === null ? scorer.start() : (JSON.parse(head.state) as SessionState), { role: input.role, content });
		setLabel(columns, 0, label, keepContent);
		store.messages.insert(columns, [{ session_id: head.id, turn, start: 0, end: 1 }], { scorerVersionId: context.versionId(), keepContent });
		store.sessions.update(head.id, {
			message_count: turn + 1,
			last_message_at: turn === 0 ? createdAt : Math.max(head.last_message_at, createdAt),
			state: JSON.stringify(state),
			srs: label.session_srs,
			r_level: columns.session_r_level[0] as number,
		});
		return {
			id: head.id * MAX_TURNS + turn,
			session_id: head.id,
			turn,
			external_id: input.external_id,
			role: input.role,
			content: keepContent ? content : null,
			created_at: createdAt,
			label: { ...label, evidence: label.evidence.map((each) => toStoredEvidence(each, keepContent)) },
		};
	}

	/** Appends one message inside a transaction; `message` is null for a replay. */
	function appendOne(tenantId: number, id: number, input: InputMessage): Appended & { message: LabelledMessage | null } {
		const head = headOf(tenantId, id);
		const stored = input.external_id === null ? null : store.messages.findByExternalId(id, input.external_id);
		if (stored === null) return { turn: head.message_count, replayed: false, message: appendTo(head, input) };
		if (stored.content_hash !== contentHash(input.role, toStorableText(input.content))) {
			throw new LabelError("conflict", "another message of this session has this external_id", { param: "external_id" });
		}
		return { turn: stored.turn, replayed: true, message: null };
	}

	function headOf(tenantId: number, id: number): SessionHead {
		const head = store.sessions.getHead(tenantId, id);
		if (head === null) throw new LabelError("not_found", "no such session");
		return head;
	}

	return {
		/** What labels new turns. */
		scorer,

		/** Stores the scorer's version now, so that appends need not look it up. Its transaction must be committed before anything else is stored. */
		register(): void {
			registered = store.transaction(context.versionId);
		},

		/**
		 * Makes a session, or gives the stored one of that external id back unchanged.
		 * @throws LabelError of the store
		 */
		create(tenantId: number, input: SessionInput): { session: SessionRecord; created: boolean } {
			return store.transaction(() => {
				const externalId = input.external_id ?? newId();
				const stored = store.sessions.find(tenantId, externalId);
				if (stored !== null) return { session: stored, created: false };
				const now = clock();
				const id = store.sessions.insert({
					tenant_id: tenantId,
					external_id: externalId,
					end_user_id: store.sessions.endUser(tenantId, input.end_user_external_id),
					title: input.title ?? null,
					started_at: now,
					last_message_at: now,
					message_count: 0,
					state: null,
					srs: null,
					r_level: R_LEVELS.indexOf("R0"),
				});
				return { session: store.sessions.get(tenantId, id) as SessionRecord, created: true };
			});
		},

		/** @throws LabelError `not_found` when there is no such session or it is another tenant's: the two can not be told apart */
		get(tenantId: number, id: number): SessionRecord {
			const session = store.sessions.get(tenantId, id);
			if (session === null) throw new LabelError("not_found", "no such session");
			return session;
		},

		/** The session of that external id; null when there is none. */
		find(tenantId: number, externalId: string): SessionRecord | null {
			return store.sessions.find(tenantId, externalId);
		},

		/** A page of sessions. @throws LabelError `invalid_request` (`cursor`) for a cursor that this list did not give out */
		list(tenantId: number, query: SessionListQuery): SessionPage {
			const { cursor, order = "recent", limit, ...filter } = query;
			const after = cursor === undefined ? undefined : parseCursor(cursor, order);
			const rows = store.sessions.list({ ...filter, tenant_id: tenantId, order, limit: limit + 1, after });
			const data = rows.slice(0, limit);
			const last = data.at(-1);
			const hasMore = rows.length > limit && last !== undefined;
			return { data, has_more: hasMore, next_cursor: hasMore ? toCursor(last, order) : null };
		},

		/** Stored messages with their labels, by session and turn; read page by page. */
		*messages(filter: MessageFilter): Generator<StoredMessage> {
			for (const row of store.messages.iterate(filter)) yield toStoredMessage(row, scorerVersion(row.scorer_version_id));
		},

		/** One stored message. @throws LabelError `not_found` */
		message(tenantId: number, id: number, turn: number): StoredMessage {
			const row = store.sessions.getHead(tenantId, id) === null ? null : store.messages.get(id, turn);
			if (row === null) throw new LabelError("not_found", "no such message");
			return toStoredMessage(row, scorerVersion(row.scorer_version_id));
		},

		/**
		 * Scores one message on top of its session and stores it. Idempotent on the message's external id.
		 * @throws LabelError `not_found`, `conflict` (the external id is taken by another message), `too_large`, those of the store
		 */
		append(tenantId: number, id: number, input: InputMessage): Appended & { message: LabelledMessage } {
			return store.transaction(() => {
				const { turn, replayed, message } = appendOne(tenantId, id, input);
				return { turn, replayed, message: message ?? this.message(tenantId, id, turn) };
			});
		},

		/**
		 * Appends many messages in one transaction, each as `append` would. A message at fault gives its error and the rest goes on.
		 * @throws LabelError `not_found`, those of the store; then nothing is stored
		 */
		appendMany(tenantId: number, id: number, inputs: readonly InputMessage[]): (Appended | LabelError)[] {
			return store.transaction(() => {
				headOf(tenantId, id);
				return inputs.map((input) => {
					try {
						const { turn, replayed } = appendOne(tenantId, id, input);
						return { turn, replayed };
					} catch (error) {
						if (error instanceof LabelError && (error.code === "conflict" || error.code === "too_large")) return error;
						throw error;
					}
				});
			});
		},

		/**
		 * Stores a conversation by the run-again rule of spec 3.1: what is stored already is skipped, what follows is appended, a contradiction
		 * is rejected (in the outcome's `error`) or replaces.
		 * @throws LabelError of the store
		 */
		storeConversation(tenantId: number, conversation: NamedConversation, options: StoreOptions = {}): StoredConversation {
			const batch = createBatch(conversation.messages.length);
			addConversation(batch, conversation);
			return storeBatch(context, tenantId, batch, { keepContent, ...options })[0] as StoredConversation;
		},

		/** The same for a batch, in one transaction; conversations that a worker has scored from the start are not scored again when they are new. */
		storeBatch(tenantId: number, batch: ConversationBatch, options: StoreOptions = {}): StoredConversation[] {
			return storeBatch(context, tenantId, batch, { keepContent, ...options });
		},

		/** Counts over all sessions of the tenant. */
		summary(tenantId: number) {
			return store.summary(tenantId);
		},
	};
}

/** The place after `session` in a list, as text that means nothing to the client. */
function toCursor(session: SessionRecord, order: SessionOrder): string {
	const value = order === "recent" ? session.last_message_at : (session.srs ?? -1);
	return Buffer.from(JSON.stringify([order, value, session.id])).toString("base64url");
}

function parseCursor(cursor: string, order: SessionOrder): { value: number; id: number } {
	try {
		const [itsOrder, value, id] = JSON.parse(Buffer.from(cursor, "base64url").toString()) as unknown[];
		if (itsOrder === order && Number.isFinite(value) && Number.isSafeInteger(id)) return { value: value as number, id: id as number };
	} catch {
		// Not one of ours: falls through to the error below.
	}
	throw new LabelError("invalid_request", "cursor is not the next_cursor of such a list", { param: "cursor" });
}
