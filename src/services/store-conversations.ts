import { LabelError } from "../errors.js";
import { R_LEVELS, type Scorer, type SessionState } from "../types.js";
import { MAX_TURNS, type SessionHead, type Store, type TurnColumns, type TurnSlice } from "./ports.js";
import { allHaveIds, hasRepeatedIds, type Plan, planByIds, planByPlace, type Span } from "./run-again.js";
import type { BatchConversation, ConversationBatch } from "./scored-batch.js";
import { scoreTurns, toKnownTime } from "./turn-columns.js";

export interface StoreOptions {
	/** A session that contradicts what is stored: `reject` leaves the stored one, `replace` puts the incoming one in its place. Default `reject`. */
	onConflict?: "reject" | "replace" | undefined;
	/** The messages are new turns of known sessions (`--append`). Default false. */
	append?: boolean | undefined;
	/** False stores labels and offsets, neither text nor evidence text (`--no-content`). Default true. */
	keepContent?: boolean | undefined;
	/** Number of the input file in this run, from 0; tells pieces of one session in one file from those in another. Default 0. */
	file?: number | undefined;
}

/** What became of one conversation of a batch. */
export interface StoredConversation {
	external_id: string;
	/** Null when it was rejected and no such session is stored. */
	session_id: number | null;
	/** Whether the session was made now. */
	created: boolean;
	/** What was stored, and where: the columns hold those turns' labels. Empty when everything was there already. */
	slices: TurnSlice[];
	/** Number of turns stored now. */
	stored: number;
	/** Number of turns that were stored before. */
	skipped: number;
	/** Why nothing was stored: `session_diverges`, `session_unknown`, `too_large`; else null. */
	error: LabelError | null;
}

/** What storing needs besides the batch. `versionId` gives the stored id of the scorer's version; it is called inside the transaction. */
export interface StoreContext {
	store: Store;
	scorer: Scorer;
	clock: () => number;
	versionId: () => number;
}

/**
 * Stores a batch of conversations of one tenant in one transaction, by the run-again rule of spec 3.1. Outcomes stand in the order of the batch.
 * @throws LabelError `database_busy`, `disk_full`, `database_unreadable`; then nothing of the batch is stored
 */
export function storeBatch(context: StoreContext, tenantId: number, batch: ConversationBatch, options: StoreOptions = {}): StoredConversation[] {
	return context.store.transaction(() => {
		const storing = new Storing(context, tenantId, batch.columns, options);
		const outcomes = batch.conversations.map((conversation) => storing.place(conversation));
		storing.flush();
		return outcomes;
	});
}

/** One batch on its way into the store. Turns of new sessions wait in `pending`, so that they are inserted many at a time. */
class Storing {
	private readonly pending: TurnSlice[] = [];
	private readonly endUsers = new Map<string, number>();
	private readonly keepContent: boolean;
	private readonly scorerVersionId: number;

	constructor(
		private readonly context: StoreContext,
		private readonly tenantId: number,
		private readonly columns: TurnColumns,
		private readonly options: StoreOptions,
	) {
		this.keepContent = options.keepContent ?? true;
		this.scorerVersionId = context.versionId();
	}

	flush(): void {
		if (this.pending.length === 0) return;
		this.context.store.messages.insert(this.columns, this.pending, { scorerVersionId: this.scorerVersionId, keepContent: this.keepContent });
		this.pending.length = 0;
	}

	place(conversation: BatchConversation): StoredConversation {
		const head = this.context.store.sessions.findHead(this.tenantId, conversation.external_id);
		if (head !== null) {
			this.flush();
			return this.append(head, conversation);
		}
		if (this.options.append) {
			return rejected(
				conversation,
				null,
				new LabelError("session_unknown", `session ${quote(conversation.external_id)} is not stored, and --append takes new turns of known sessions only`),
			);
		}
		return this.create(conversation);
	}

	private create(conversation: BatchConversation): StoredConversation {
		const { start, end } = conversation;
		if (end - start >= MAX_TURNS) return rejected(conversation, null, tooLong(conversation.external_id));
		// A record that names a message twice is planned against what it has itself stored, as any later one would be.
		if (hasRepeatedIds(this.columns, conversation)) {
			const plan = planByIds(this.context.store.messages, -1, this.columns, conversation);
			if (plan.kind === "diverge") return rejected(conversation, null, diverges(conversation, plan));
			return this.insertNew(conversation, plan.spans, null);
		}
		return this.insertNew(conversation, start < end ? [{ start, end }] : [], conversation.state);
	}

	private insertNew(conversation: BatchConversation, spans: Span[], scored: string | null): StoredConversation {
		const { store, scorer, clock } = this.context;
		const state = scored ?? JSON.stringify(this.score(spans, scorer.start()));
		const known = lastTime(this.columns, spans);
		const startedAt = toKnownTime(conversation.started_at) ?? firstTime(this.columns, spans) ?? clock();
		const turns = size(spans);
		const sessionId = store.sessions.insert({
			tenant_id: this.tenantId,
			external_id: conversation.external_id,
			end_user_id: this.endUser(conversation.end_user_external_id),
			title: conversation.title,
			started_at: startedAt,
			last_message_at: known ?? startedAt,
			message_count: turns,
			...this.risk(state, spans),
		});
		const slices = toSlices(sessionId, 0, spans);
		this.pending.push(...slices);
		if (conversation.piece) store.pieces.set(sessionId, { file: this.options.file ?? 0, next: turns, end: turns });
		return {
			external_id: conversation.external_id,
			session_id: sessionId,
			created: true,
			slices,
			stored: turns,
			skipped: conversation.end - conversation.start - turns,
			error: null,
		};
	}

	private append(stored: SessionHead, conversation: BatchConversation): StoredConversation {
		const { store, scorer } = this.context;
		let head = stored;
		let { plan, base } = this.plan(head, conversation);
		if (plan.kind === "diverge" && plan.turn !== null && this.options.onConflict === "replace") {
			// A whole conversation takes the stored one's place; a piece only what follows the contradiction, the turns before it being right.
			const turn = conversation.piece || this.options.append ? plan.turn : 0;
			const state = this.rewind(head, turn);
			if (state !== null) {
				head = {
					...head,
					message_count: turn,
					state: turn === 0 ? null : JSON.stringify(state),
					last_message_at: turn === 0 ? head.started_at : head.last_message_at,
				};
				({ plan, base } = this.plan(head, conversation));
			}
		}
		if (plan.kind === "diverge") return rejected(conversation, head.id, diverges(conversation, plan));
		const turns = size(plan.spans);
		if (head.message_count + turns >= MAX_TURNS) return rejected(conversation, head.id, tooLong(conversation.external_id));
		const slices = toSlices(head.id, head.message_count, plan.spans);
		if (turns > 0) {
			const state = this.score(plan.spans, head.state === null ? scorer.start() : (JSON.parse(head.state) as SessionState));
			this.pending.push(...slices);
			const known = lastTime(this.columns, plan.spans);
			store.sessions.update(head.id, {
				message_count: head.message_count + turns,
				last_message_at: known === null ? head.last_message_at : head.message_count === 0 ? known : Math.max(head.last_message_at, known),
				...this.risk(JSON.stringify(state), plan.spans),
			});
		}
		if (conversation.piece && base !== null) {
			const next = base + conversation.end - conversation.start;
			store.pieces.set(head.id, { file: this.options.file ?? 0, next, end: Math.max(next, store.pieces.get(head.id)?.end ?? 0) });
		}
		return {
			external_id: conversation.external_id,
			session_id: head.id,
			created: false,
			slices,
			stored: turns,
			skipped: conversation.end - conversation.start - turns,
			error: null,
		};
	}

	/** Decides what is new. `base` is the turn at which the first message stands; null where ids decide. */
	private plan(head: SessionHead, conversation: BatchConversation): { plan: Plan; base: number | null } {
		const { messages, pieces } = this.context.store;
		if (this.options.append || (allHaveIds(this.columns, conversation) && (head.message_count === 0 || messages.hasExternalIds(head.id)))) {
			return { plan: planByIds(messages, head.id, this.columns, conversation), base: null };
		}
		const byPlace = (base: number) => ({ plan: planByPlace(messages, head.id, base, this.columns, conversation), base });
		const seen = conversation.piece ? pieces.get(head.id) : null;
		if (seen === null) return byPlace(0);
		if (seen.file === (this.options.file ?? 0)) return byPlace(seen.next);
		// Another file of the same run: it holds the session again from its beginning, or it goes on where the files before ended.
		const again = byPlace(0);
		return again.plan.kind === "append" ? again : byPlace(seen.end);
	}

	/** Removes the session's turns from `turn` on and folds those before it again; null, and nothing removed, when their text was not kept. */
	private rewind(head: SessionHead, turn: number): SessionState | null {
		const { store, scorer } = this.context;
		let state = scorer.start();
		if (turn > 0) {
			for (const message of store.messages.iterate({ tenant_id: this.tenantId, session_id: head.id })) {
				if (message.turn === turn) break;
				if (message.content === null) return null;
				state = scorer.step(state, { role: message.role, content: message.content }).state;
			}
		}
		store.messages.truncate(head.id, turn);
		return state;
	}

	private score(spans: readonly Span[], from: SessionState): SessionState {
		let state = from;
		for (const { start, end } of spans) state = scoreTurns(this.columns, start, end, state, { scorer: this.context.scorer, keepContent: this.keepContent });
		return state;
	}

	/** The session's risk after the last turn of the spans, with the JSON of its state; that of a new session when there is none. */
	private risk(state: string, spans: readonly Span[]): { state: string | null; srs: number | null; r_level: number } {
		const last = spans.at(-1);
		if (last === undefined) return { state: null, srs: null, r_level: R_LEVELS.indexOf("R0") };
		return {
			state,
			srs: this.columns.session_srs[last.end - 1] as number,
			r_level: this.columns.session_r_level[last.end - 1] as number,
		};
	}

	private endUser(externalId: string): number {
		let id = this.endUsers.get(externalId);
		if (id === undefined) {
			id = this.context.store.sessions.endUser(this.tenantId, externalId);
			this.endUsers.set(externalId, id);
		}
		return id;
	}
}

function toSlices(sessionId: number, firstTurn: number, spans: readonly Span[]): TurnSlice[] {
	let turn = firstTurn;
	return spans.map(({ start, end }) => {
		const slice = { session_id: sessionId, turn, start, end };
		turn += end - start;
		return slice;
	});
}

function size(spans: readonly Span[]): number {
	return spans.reduce((sum, { start, end }) => sum + end - start, 0);
}

function firstTime(columns: TurnColumns, spans: readonly Span[]): number | null {
	const first = spans[0];
	const time = first === undefined ? Number.NaN : (columns.created_at[first.start] as number);
	return Number.isNaN(time) ? null : time;
}

/** The latest known time of the spans' messages; null when none is known. */
function lastTime(columns: TurnColumns, spans: readonly Span[]): number | null {
	let last = Number.NEGATIVE_INFINITY;
	for (const { start, end } of spans) {
		for (let i = start; i < end; i++) {
			const time = columns.created_at[i] as number;
			if (time > last) last = time;
		}
	}
	return last === Number.NEGATIVE_INFINITY ? null : last;
}

function rejected(conversation: BatchConversation, sessionId: number | null, error: LabelError): StoredConversation {
	return { external_id: conversation.external_id, session_id: sessionId, created: false, slices: [], stored: 0, skipped: 0, error };
}

function diverges(conversation: BatchConversation, plan: { at: number; turn: number | null }): LabelError {
	const place = plan.at - conversation.start;
	const where = plan.turn === null ? "another message of the record under the same id" : `the stored turn ${plan.turn}`;
	return new LabelError(
		"session_diverges",
		`session ${quote(conversation.external_id)}: message ${place} of the record (counted from 0) differs from ${where}; nothing of the record was stored (--on-conflict replace stores it instead)`,
	);
}

function tooLong(externalId: string): LabelError {
	return new LabelError("too_large", `session ${quote(externalId)} would have more than ${MAX_TURNS - 1} turns`);
}

function quote(id: string): string {
	return JSON.stringify(id.length > 200 ? `${id.slice(0, 200)}...` : id);
}
