import type { MessageStore, TurnColumns } from "./ports.js";

/** Places `start` to `end` (excluded) of the columns. */
export interface Span {
	start: number;
	end: number;
}

/** What is to be done with incoming messages of a session that is stored already. */
export type Plan =
	/** Store these; everything else is there already. */
	| { kind: "append"; spans: Span[] }
	/** The message at place `at` contradicts the stored turn `turn`, or (null) another message of the same record under the same id. */
	| { kind: "diverge"; at: number; turn: number | null };

/**
 * The run-again rule without message ids: the stored turns from `base` on and the incoming messages must agree as far as both go; what
 * the incoming ones have beyond is new.
 */
export function planByPlace(messages: MessageStore, sessionId: number, base: number, columns: TurnColumns, { start, end }: Span): Plan {
	let at = start;
	if (start < end) {
		for (const stored of messages.identities(sessionId, base)) {
			if (stored.content_hash !== columns.content_hash[at]) return { kind: "diverge", at, turn: base + at - start };
			if (++at === end) break;
		}
	}
	const known = findKnownId(messages, sessionId, columns, { start: at, end });
	return known ?? { kind: "append", spans: at < end ? [{ start: at, end }] : [] };
}

/** An id that the session has already, or that stands twice, can not name a new message: only where some messages carry ids and others don't. */
function findKnownId(messages: MessageStore, sessionId: number, columns: TurnColumns, { start, end }: Span): Plan | null {
	const seen = new Set<string>();
	for (let at = start; at < end; at++) {
		const id = columns.external_id[at];
		if (id == null) continue;
		const stored = messages.findByExternalId(sessionId, id);
		if (stored !== null || seen.has(id)) return { kind: "diverge", at, turn: stored?.turn ?? null };
		seen.add(id);
	}
	return null;
}

/**
 * The run-again rule where every incoming message carries an id: a known id with the same content is skipped, an unknown one is new, a known
 * one with other content diverges. `messages` without id among them count as new (`--append`).
 */
export function planByIds(messages: MessageStore, sessionId: number, columns: TurnColumns, { start, end }: Span): Plan {
	const spans: Span[] = [];
	const seen = new Map<string, number>();
	let last: Span | undefined;
	for (let at = start; at < end; at++) {
		const id = columns.external_id[at];
		const hash = columns.content_hash[at] as number;
		if (id !== null && id !== undefined) {
			const before = seen.get(id);
			const stored = before === undefined ? messages.findByExternalId(sessionId, id) : { turn: null, content_hash: before };
			seen.set(id, hash);
			if (stored !== null) {
				if (stored.content_hash !== hash) return { kind: "diverge", at, turn: stored.turn };
				continue;
			}
		}
		if (last?.end === at) last.end = at + 1;
		else {
			last = { start: at, end: at + 1 };
			spans.push(last);
		}
	}
	return { kind: "append", spans };
}

/** Whether every message of the span carries an id. An empty span has none. */
export function allHaveIds(columns: TurnColumns, { start, end }: Span): boolean {
	for (let at = start; at < end; at++) if (columns.external_id[at] == null) return false;
	return start < end;
}

/** Whether an id stands twice among the messages of the span. */
export function hasRepeatedIds(columns: TurnColumns, { start, end }: Span): boolean {
	let seen: Set<string> | undefined;
	for (let at = start; at < end; at++) {
		const id = columns.external_id[at];
		if (id == null) continue;
		if (seen?.has(id)) return true;
		seen ??= new Set();
		seen.add(id);
	}
	return false;
}
