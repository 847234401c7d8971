import { type AuthoredMessage, ChatSplitter } from "./chat-splitter.js";
import { isObject, type JsonObject } from "./message.js";
import type { Place, ReadOptions } from "./options.js";
import { RecordError } from "./record-error.js";
import type { InputConversation } from "./types.js";

/** A chat export in JSON: a head that names the chat, and a list of messages with authors. */
export interface ChatFormat {
	/** Name of the chat; null when the head names none. */
	chatName(head: JsonObject): string | null;
	/** A message, or null for a notice of the program, which nobody said. @throws RecordError */
	toAuthored(message: JsonObject, head: JsonObject): AuthoredMessage | null;
}

/** Sessions of a chat that is in memory whole; none where nobody says anything. @throws RecordError of the first message that can not be read; the chat is one record */
export function readChatRecord(format: ChatFormat, record: JsonObject, place: Place, options: ReadOptions): InputConversation[] {
	const splitter = new ChatSplitter(format.chatName(record) ?? options.name ?? "chat", options);
	const pieces = (record.messages as unknown[]).flatMap((message, at) => {
		if (!isObject(message)) throw new RecordError("invalid_record", `message ${at} (counted from 0) is no object`);
		const authored = format.toAuthored(message, record);
		return authored === null ? [] : splitter.add(authored, place);
	});
	return [...pieces, ...splitter.finish()];
}
