import { COVERAGES, type Evidence, type Imminence, type Label, R_LEVELS, type Role, type ScorerVersion, type Scores, SIGNALS } from "../types.js";
import type { MessageRow } from "./ports.js";

/** Evidence as read back: `text` is absent where the message was stored without content. */
export type StoredEvidence = Omit<Evidence, "text"> & { text?: string };

/** A label as read back from the store. */
export type StoredLabel = Omit<Label, "evidence"> & { evidence: StoredEvidence[] };

/** A message with its place and its label. */
export interface LabelledMessage {
	id: number;
	session_id: number;
	/** 0-based place in the session. */
	turn: number;
	external_id: string | null;
	role: Role;
	/** Null when it was stored without content. */
	content: string | null;
	/** Milliseconds since 1970 UTC; null when the export has none. */
	created_at: number | null;
	label: StoredLabel;
}

/** A stored message, with the names of its session and its end user. */
export interface StoredMessage extends LabelledMessage {
	session_external_id: string;
	end_user_external_id: string;
}

/** Nothing set: the value of every field that is not stored. The order of the keys is the order in which they are printed. */
const NOTHING: Omit<Imminence, "since"> = {
	level: "none",
	subject: "none",
	target: "none",
	ideation: "none",
	intent: "none",
	plan: "none",
	means: "none",
	method: "none",
	preparation: false,
	timeframe: "none",
	attempt: "none",
	history: false,
	protective: false,
	danger_from_others: false,
};
const FIELDS = Object.keys(NOTHING) as (keyof typeof NOTHING)[];

/** JSON of the fields that are set, with `since`; null when nothing is set. Most turns of most sessions set nothing. */
export function packImminence(imminence: Imminence): string | null {
	if (isNothing(imminence)) return null;
	const set: Record<string, unknown> = {};
	for (const field of FIELDS) {
		if (imminence[field] !== NOTHING[field]) set[field] = imminence[field];
	}
	set["since"] = imminence.since;
	return JSON.stringify(set);
}

/** Whether no field is set. Spelt out, for every turn asks: a loop over the names costs ten times as much. */
function isNothing(imminence: Imminence): boolean {
	return (
		imminence.level === NOTHING.level &&
		imminence.subject === NOTHING.subject &&
		imminence.target === NOTHING.target &&
		imminence.ideation === NOTHING.ideation &&
		imminence.intent === NOTHING.intent &&
		imminence.plan === NOTHING.plan &&
		imminence.means === NOTHING.means &&
		imminence.method === NOTHING.method &&
		imminence.preparation === NOTHING.preparation &&
		imminence.timeframe === NOTHING.timeframe &&
		imminence.attempt === NOTHING.attempt &&
		imminence.history === NOTHING.history &&
		imminence.protective === NOTHING.protective &&
		imminence.danger_from_others === NOTHING.danger_from_others
	);
}

/** The opposite of `packImminence`. */
export function unpackImminence(packed: string | null): Imminence {
	return packed === null ? { ...NOTHING, since: {} } : { ...NOTHING, ...JSON.parse(packed) };
}

/** Evidence as it is stored: always the same order of keys, without the text when `keepContent` is false. */
export function toStoredEvidence({ signal, start, end, text, rule, modifiers, contribution }: Evidence, keepContent: boolean): StoredEvidence {
	return keepContent ? { signal, start, end, text, rule, modifiers, contribution } : { signal, start, end, rule, modifiers, contribution };
}

/** JSON array of the evidence, without its text when `keepContent` is false; null when there is none. */
export function packEvidence(evidence: readonly Evidence[], keepContent: boolean): string | null {
	return evidence.length === 0 ? null : JSON.stringify(evidence.map((each) => toStoredEvidence(each, keepContent)));
}

/** Makes the message of a stored row; `scorerVersion` is the one that the row names. */
export function toStoredMessage(row: MessageRow, scorerVersion: ScorerVersion): StoredMessage {
	return {
		id: row.id,
		session_id: row.session_id,
		turn: row.turn,
		session_external_id: row.session_external_id,
		end_user_external_id: row.end_user_external_id,
		external_id: row.external_id,
		role: row.role,
		content: row.content,
		created_at: row.created_at,
		label: {
			prs: row.prs,
			r_level: at(R_LEVELS, row.r_level),
			scores: Object.fromEntries(SIGNALS.map((signal, i) => [signal, row.scores[i] ?? 0])) as Scores,
			imminence: unpackImminence(row.imminence),
			session_srs: row.session_srs,
			session_r_level: at(R_LEVELS, row.session_r_level),
			evidence: row.evidence === null ? [] : JSON.parse(row.evidence),
			language: row.language,
			coverage: at(COVERAGES, row.coverage),
			scorer_version: scorerVersion,
		},
	};
}

/** The word behind a stored number. The schema's CHECKs keep the number in range. */
function at<T>(words: readonly T[], index: number): T {
	const word = words[index];
	if (word === undefined) throw new RangeError(`no word number ${index}`);
	return word;
}
