import { FIELDS, pick, RecordError, toId, toMessage, toTime } from "./message.js";
import type { ReadOptions } from "./options.js";
import type { InputConversation, InputMessage, RejectedRecord } from "./types.js";

/** Longest raw record that is kept in a reject: enough to mend anything a person would mend. */
const MOST_RAW = 1 << 20;

export interface Place {
	line: number;
	record: number;
}

/** One JSON value of a JSONL file: a conversation, or one message of a session. */
export type ReadValue =
	| { kind: "conversation"; conversation: InputConversation }
	| { kind: "message"; session: string; endUser: string | null; title: string | null; message: InputMessage };

/** Reads a parsed JSON value of one of the accepted shapes (spec 3.1). @throws RecordError */
export function readValue(value: unknown, place: Place, options: ReadOptions): ReadValue {
	if (typeof value !== "object" || value === null || Array.isArray(value)) throw new RecordError("invalid_record", "a record must be a JSON object");
	const record = renamed(value as Record<string, unknown>, options.map);
	const messages = record.messages ?? record.turns ?? record.conversations ?? record.conversation ?? record.chat_messages;
	if (Array.isArray(messages)) return { kind: "conversation", conversation: toConversation(record, messages, place, options) };
	return toSingleMessage(record, options);
}

function renamed(record: Record<string, unknown>, map: Readonly<Record<string, string>> | undefined): Record<string, unknown> {
	if (map === undefined) return record;
	const copy = { ...record };
	for (const [name, written] of Object.entries(map)) if (written in record) copy[name] = record[written];
	return copy;
}

/** @throws RecordError */
export function toConversation(record: Record<string, unknown>, rawMessages: readonly unknown[], place: Place, options: ReadOptions): InputConversation {
	if (rawMessages.length === 0) throw new RecordError("empty_conversation", "the conversation has no messages");
	const messages = rawMessages.map((message, at) => {
		try {
			return toMessage(message, options.roleMap ?? {});
		} catch (error) {
			if (error instanceof RecordError) throw new RecordError(error.code, `message ${at} (counted from 0): ${error.message}`);
			throw error;
		}
	});
	return {
		external_id: toId(pick(record, FIELDS.session)),
		end_user_external_id: toId(pick(record, FIELDS.endUser)),
		title: toId(pick(record, FIELDS.title)),
		started_at: toTime(pick(record, FIELDS.startedAt)),
		messages: sorted(messages, options),
		line: place.line,
		record: place.record,
		records: 1,
	};
}

function toSingleMessage(record: Record<string, unknown>, options: ReadOptions): ReadValue {
	const session = toId(pick(record, FIELDS.sessionOfMessage));
	const hasContent = pick(record, FIELDS.content) !== undefined;
	if (session === null || !hasContent) {
		throw new RecordError(
			"invalid_record",
			session === null
				? "neither a conversation (messages, turns or conversations) nor a message of a session (session_id, role, content)"
				: "the message has no content",
		);
	}
	const idNames = FIELDS.messageId.filter((name) => toId(record[name]) !== session || name === "external_id");
	return {
		kind: "message",
		session,
		endUser: toId(pick(record, FIELDS.endUser)),
		title: toId(record.title),
		message: toMessage(record, options.roleMap ?? {}, idNames),
	};
}

/** Messages in order of time, if that was asked for; those without a time stay behind the one before them. */
export function sorted(messages: InputMessage[], { sortBy }: ReadOptions): InputMessage[] {
	if (sortBy === undefined) return messages;
	let last = Number.NEGATIVE_INFINITY;
	const keyed = messages.map((message, at) => {
		last = message.created_at ?? last;
		return { message, time: last, at };
	});
	return keyed.sort((left, right) => left.time - right.time || left.at - right.at).map(({ message }) => message);
}

/** Collects the records of a block; messages of one session are put together, in the order of the file. */
export class Collector {
	readonly conversations: InputConversation[] = [];
	readonly rejects: RejectedRecord[] = [];
	private readonly sessions = new Map<string, InputConversation>();

	constructor(private readonly options: ReadOptions) {}

	add(read: ReadValue, place: Place): void {
		if (read.kind === "conversation") {
			this.conversations.push(read.conversation);
			return;
		}
		const known = this.sessions.get(read.session);
		if (known) {
			known.messages.push(read.message);
			known.records++;
			return;
		}
		const conversation: InputConversation = {
			external_id: read.session,
			end_user_external_id: read.endUser,
			title: read.title,
			started_at: null,
			messages: [read.message],
			...place,
			records: 1,
			piece: true,
		};
		this.sessions.set(read.session, conversation);
		this.conversations.push(conversation);
	}

	reject(error: unknown, place: Place, raw: string, turns = 1): void {
		if (!(error instanceof RecordError)) throw error;
		this.rejects.push({ ...place, code: error.code, message: error.message, raw: raw.slice(0, MOST_RAW), turns });
	}

	finish(): { conversations: InputConversation[]; rejects: RejectedRecord[] } {
		for (const conversation of this.sessions.values()) conversation.messages = sorted(conversation.messages, this.options);
		return { conversations: this.conversations, rejects: this.rejects };
	}
}

/** How many messages a rejected value seems to hold, so that nothing vanishes from the counts. */
export function countTurns(value: unknown): number {
	if (typeof value !== "object" || value === null) return 1;
	const { messages, turns, conversations, conversation, chat_messages } = value as Record<string, unknown>;
	const list = messages ?? turns ?? conversations ?? conversation ?? chat_messages;
	return Array.isArray(list) ? Math.max(1, list.length) : 1;
}
