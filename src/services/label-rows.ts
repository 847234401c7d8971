import { COVERAGES, type Coverage, type Imminence, R_LEVELS, type RLevel, ROLES, type Role, type ScorerVersion, type Scores, SIGNALS } from "../types.js";
import type { WorkerResult } from "./run-protocol.js";
import type { StoredConversation } from "./store-conversations.js";
import { type StoredEvidence, type StoredMessage, unpackImminence } from "./stored-label.js";

/** A label row: a turn with its label, as files and pipelines get it (spec 3.1). */
export interface LabelRow {
	session_external_id: string;
	end_user_external_id: string;
	/** 0-based place in the session. */
	turn: number;
	external_id: string | null;
	role: Role;
	/** ISO 8601 UTC; null when the export has none. */
	created_at: string | null;
	/** Absent with `--no-content`. */
	content?: string;
	prs: number;
	r_level: RLevel;
	scores: Scores;
	imminence: Imminence;
	session_srs: number;
	session_r_level: RLevel;
	evidence: StoredEvidence[];
	language: string;
	coverage: Coverage;
	scorer_version: ScorerVersion;
}

/** The row of a stored message. */
export function toLabelRow(message: StoredMessage, keepContent: boolean): LabelRow {
	const { label } = message;
	return {
		session_external_id: message.session_external_id,
		end_user_external_id: message.end_user_external_id,
		turn: message.turn,
		external_id: message.external_id,
		role: message.role,
		created_at: toIso(message.created_at),
		...(keepContent && message.content !== null ? { content: message.content } : {}),
		prs: label.prs,
		r_level: label.r_level,
		scores: label.scores,
		imminence: label.imminence,
		session_srs: label.session_srs,
		session_r_level: label.session_r_level,
		evidence: keepContent ? label.evidence : label.evidence.map(({ text: _text, ...rest }) => rest),
		language: label.language,
		coverage: label.coverage,
		scorer_version: label.scorer_version,
	};
}

/** Rows of what a batch has just stored, in order. */
export function* batchRows(
	{ batch }: WorkerResult,
	outcomes: readonly StoredConversation[],
	version: ScorerVersion,
	keepContent: boolean,
): Generator<LabelRow> {
	const { columns } = batch;
	for (const [index, outcome] of outcomes.entries()) {
		const conversation = batch.conversations[index] as WorkerResult["batch"]["conversations"][number];
		for (const { turn, start, end } of outcome.slices) {
			for (let at = start; at < end; at++) {
				const time = columns.created_at[at] as number;
				yield {
					session_external_id: conversation.external_id,
					end_user_external_id: conversation.end_user_external_id,
					turn: turn + at - start,
					external_id: columns.external_id[at] ?? null,
					role: ROLES[columns.role[at] as number] as Role,
					created_at: toIso(Number.isNaN(time) ? null : time),
					...(keepContent ? { content: columns.content[at] as string } : {}),
					prs: columns.prs[at] as number,
					r_level: R_LEVELS[columns.r_level[at] as number] as RLevel,
					scores: Object.fromEntries(SIGNALS.map((signal, place) => [signal, columns.scores[at * SIGNALS.length + place]])) as Scores,
					imminence: unpackImminence(columns.imminence[at] ?? null),
					session_srs: columns.session_srs[at] as number,
					session_r_level: R_LEVELS[columns.session_r_level[at] as number] as RLevel,
					evidence: columns.evidence[at] ? (JSON.parse(columns.evidence[at] as string) as StoredEvidence[]) : [],
					language: columns.language[at] as string,
					coverage: COVERAGES[columns.coverage[at] as number] as Coverage,
					scorer_version: version,
				};
			}
		}
	}
}

function toIso(time: number | null): string | null {
	return time === null ? null : new Date(time).toISOString();
}
