import type { InputMessage } from "../readers/types.js";
import { COVERAGES, type Label, R_LEVELS, ROLES, type Role, type Scorer, type SessionState, SIGNALS } from "../types.js";
import { contentHash, toStorableText } from "./content-hash.js";
import { packEvidence, packImminence } from "./stored-label.js";

export const EARLIEST = Date.parse("0001-01-01T00:00:00.000Z");
export const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

const ROLE_INDEX = indexOf(ROLES);
const LEVEL_INDEX = indexOf(R_LEVELS);
const COVERAGE_INDEX = indexOf(COVERAGES);

/**
 * Turns as columns: one array a field, one place a turn. The hot path of a run hands a worker's whole batch over in this form, with no object
 * a turn; a single append is a batch of one. Made by `createTurnColumns`.
 */
export interface TurnColumns {
	/** Number of turns; arrays may be longer. */
	count: number;
	/** Index into `ROLES`. */
	role: Uint8Array;
	/** The text; what is stored of it is decided on insert. */
	content: string[];
	content_hash: Float64Array;
	external_id: (string | null)[];
	/** Milliseconds since 1970 UTC; NaN when the export has none. */
	created_at: Float64Array;
	/** Ten scores a turn, in the order of `SIGNALS`: turn `i` has places `10 * i` to `10 * i + 9`. */
	scores: Float64Array;
	prs: Float64Array;
	/** Index into `R_LEVELS`. */
	r_level: Uint8Array;
	session_srs: Float64Array;
	/** Index into `R_LEVELS`. */
	session_r_level: Uint8Array;
	/** JSON of the imminence fields that are set; null when none is. */
	imminence: (string | null)[];
	/** JSON array of evidence; null when empty. */
	evidence: (string | null)[];
	language: string[];
	/** Index into `COVERAGES`. */
	coverage: Uint8Array;
}

/** Empty columns with room for `capacity` turns; they grow when more are pushed. */
export function createTurnColumns(capacity: number): TurnColumns {
	return {
		count: 0,
		role: new Uint8Array(capacity),
		content: [],
		content_hash: new Float64Array(capacity),
		external_id: [],
		created_at: new Float64Array(capacity),
		scores: new Float64Array(capacity * SIGNALS.length),
		prs: new Float64Array(capacity),
		r_level: new Uint8Array(capacity),
		session_srs: new Float64Array(capacity),
		session_r_level: new Uint8Array(capacity),
		imminence: [],
		evidence: [],
		language: [],
		coverage: new Uint8Array(capacity),
	};
}

/** Adds a message, without a label yet. Returns its place in the columns. */
export function pushMessage(columns: TurnColumns, message: InputMessage): number {
	const i = columns.count;
	if (i >= columns.prs.length) grow(columns, Math.max(16, i * 2));
	const content = toStorableText(message.content);
	columns.role[i] = ROLE_INDEX[message.role];
	columns.content[i] = content;
	columns.content_hash[i] = contentHash(message.role, content);
	columns.external_id[i] = message.external_id;
	columns.created_at[i] = toKnownTime(message.created_at) ?? Number.NaN;
	columns.imminence[i] = null;
	columns.evidence[i] = null;
	columns.language[i] = "und";
	columns.count = i + 1;
	return i;
}

/** A time that can be printed as ISO 8601 with four digits for the year; null for any other (a wrong unit, mostly), as for an unknown one. */
export function toKnownTime(time: number | null): number | null {
	return time !== null && time >= EARLIEST && time <= LATEST ? Math.trunc(time) : null;
}

/** Writes the label of the turn at place `i`; evidence without its text when `keepContent` is false. */
export function setLabel(columns: TurnColumns, i: number, label: Label, keepContent: boolean): void {
	const { scores } = label;
	let place = i * SIGNALS.length;
	for (const signal of SIGNALS) columns.scores[place++] = scores[signal];
	columns.prs[i] = label.prs;
	columns.r_level[i] = LEVEL_INDEX[label.r_level];
	columns.session_srs[i] = label.session_srs;
	columns.session_r_level[i] = LEVEL_INDEX[label.session_r_level];
	columns.imminence[i] = packImminence(label.imminence);
	columns.evidence[i] = packEvidence(label.evidence, keepContent);
	columns.language[i] = label.language;
	columns.coverage[i] = COVERAGE_INDEX[label.coverage];
}

/** Folds the turns at places `start` to `end` (excluded) on top of `state` and writes their labels. Returns the state after the last. */
export function scoreTurns(
	columns: TurnColumns,
	start: number,
	end: number,
	state: SessionState,
	options: { scorer: Scorer; keepContent: boolean },
): SessionState {
	let current = state;
	for (let i = start; i < end; i++) {
		const result = options.scorer.step(current, { role: roleAt(columns, i), content: columns.content[i] as string });
		current = result.state;
		setLabel(columns, i, result.label, options.keepContent);
	}
	return current;
}

/** The role of the turn at place `i`. */
export function roleAt(columns: TurnColumns, i: number): Role {
	return ROLES[columns.role[i] as number] as Role;
}

function grow(columns: TurnColumns, capacity: number): void {
	for (const key of ["role", "r_level", "session_r_level", "coverage"] as const) {
		const bigger = new Uint8Array(capacity);
		bigger.set(columns[key]);
		columns[key] = bigger;
	}
	for (const key of ["content_hash", "created_at", "prs", "session_srs", "scores"] as const) {
		const bigger = new Float64Array(key === "scores" ? capacity * SIGNALS.length : capacity);
		bigger.set(columns[key]);
		columns[key] = bigger;
	}
}

function indexOf<T extends string>(words: readonly T[]): Record<T, number> {
	return Object.fromEntries(words.map((word, i) => [word, i])) as Record<T, number>;
}
