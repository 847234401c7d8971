import type { SessionMessage } from "./collector.js";
import { FIELDS, fromFields, isObject, type JsonObject, pick, renamed, sorted, toId, toMessage } from "./message.js";
import type { Place, ReadOptions } from "./options.js";
import { RecordError } from "./record-error.js";
import { toTime } from "./time.js";
import type { InputConversation, InputMessage } from "./types.js";

/** The fields under which a conversation keeps its messages. */
const LISTS = ["messages", "turns", "conversations", "conversation", "dialogue", "dialog"] as const;

/** The messages of a conversation record; undefined when it is none. */
export function messagesOf(record: JsonObject): readonly unknown[] | undefined {
	for (const name of LISTS) {
		const list = record[name];
		if (Array.isArray(list)) return list;
	}
	return undefined;
}

/** A conversation made of message objects. @throws RecordError `empty_conversation`, `invalid_record`, `unknown_role` */
export function toConversation(record: JsonObject, messages: readonly unknown[], place: Place, options: ReadOptions): InputConversation {
	const read = messages.map((message, at) => {
		try {
			return toMessage(message, options);
		} catch (error) {
			if (error instanceof RecordError) throw new RecordError(error.code, `message ${at} (counted from 0): ${error.message}`);
			throw error;
		}
	});
	return fromMessages(record, read, place, options);
}

/** A conversation of messages that were read already. @throws RecordError `empty_conversation`, `invalid_record` */
export function fromMessages(record: JsonObject, messages: InputMessage[], place: Place, options: ReadOptions): InputConversation {
	if (messages.length === 0) throw new RecordError("empty_conversation", "the conversation has no messages");
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

/** The spec's shapes: a conversation (`messages`, `turns`, `conversations`), a bare array of messages, or one message of a session. @throws RecordError */
export function readChat(value: unknown, place: Place, options: ReadOptions): InputConversation | SessionMessage {
	if (Array.isArray(value)) return toConversation({}, value, place, options);
	if (!isObject(value)) throw new RecordError("invalid_record", "a record must be a JSON object");
	const record = renamed(value, options.map);
	const messages = messagesOf(record);
	return messages === undefined ? readSessionMessage(record, options) : toConversation(record, messages, place, options);
}

/** For each name that a session may go by: the names that are left for the message's own id. */
const MESSAGE_IDS = new Map<string, readonly string[]>(
	FIELDS.sessionOfMessage.map((session) => [session, FIELDS.messageId.filter((name) => name !== session)]),
);

/** @throws RecordError `invalid_record`, `unknown_role` */
function readSessionMessage(record: JsonObject, options: ReadOptions): SessionMessage {
	for (const [sessionName, idNames] of MESSAGE_IDS) {
		const session = toId(record[sessionName]);
		if (session === null) continue;
		return {
			session,
			endUser: toId(pick(record, FIELDS.endUser)),
			title: toId(record.title),
			message: fromFields(record, options, idNames),
		};
	}
	throw new RecordError("invalid_record", "neither a conversation (messages, turns or conversations) nor a message of a session (session_id, role, content)");
}

/** How many messages a rejected value seems to hold, so that nothing vanishes from the counts. */
export function countTurns(value: unknown): number {
	const list = isObject(value) ? (messagesOf(value) ?? value.chat_messages) : value;
	return Array.isArray(list) ? Math.max(1, list.length) : 1;
}
