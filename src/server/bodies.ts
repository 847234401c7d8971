import type { z } from "zod";
import type { InputMessage } from "../readers/types.js";
import type { SessionRecord } from "../services/ports.js";
import type { LabelledMessage } from "../services/stored-label.js";
import type { AppendedBody, MessageBody, messageInputSchema, SessionBody } from "./schemas.js";

/** The validated body of an append, as the services take it. */
export function toInputMessage(input: z.output<typeof messageInputSchema>): InputMessage {
	return {
		role: input.role,
		content: input.content,
		external_id: input.external_id ?? null,
		created_at: input.created_at == null ? null : Date.parse(input.created_at),
	};
}

/** The Session object of the API. */
export function toSessionBody(session: SessionRecord): SessionBody {
	return {
		id: session.id,
		external_id: session.external_id,
		end_user_id: session.end_user_id,
		end_user_external_id: session.end_user_external_id,
		title: session.title,
		started_at: toTimestamp(session.started_at),
		last_message_at: toTimestamp(session.last_message_at),
		r_level: session.r_level,
		srs: session.srs,
		status: session.status,
		message_count: session.message_count,
	};
}

/** A message of a fetched session. */
export function toMessageBody(message: LabelledMessage): MessageBody {
	return {
		id: message.id,
		external_id: message.external_id,
		role: message.role,
		content: message.content,
		created_at: message.created_at === null ? null : toTimestamp(message.created_at),
		...scoring(message),
	};
}

/** The answer to an append. */
export function toAppendedBody(message: LabelledMessage): AppendedBody {
	return {
		id: message.id,
		session_id: message.session_id,
		external_id: message.external_id,
		role: message.role,
		created_at: message.created_at === null ? null : toTimestamp(message.created_at),
		...scoring(message),
	};
}

function scoring({ label }: LabelledMessage) {
	return {
		prs: label.prs,
		scores: label.scores,
		r_level: label.r_level,
		imminence: label.imminence,
		session_srs: label.session_srs,
		session_r_level: label.session_r_level,
		evidence: label.evidence,
		language: label.language,
		coverage: label.coverage,
		scorer_version: label.scorer_version,
	};
}

function toTimestamp(time: number): string {
	return new Date(time).toISOString();
}
