import { fromMessages } from "../chat.js";
import { isObject, type JsonObject, toId } from "../message.js";
import { htmlToText } from "../plain-text.js";
import { RecordError } from "../record-error.js";
import type { RecordShape } from "../record-shapes.js";
import { toRole } from "../roles.js";
import { toTime } from "../time.js";
import type { InputMessage } from "../types.js";

/** An Intercom conversation: the message that began it (`source`) and its parts. Only what people wrote to each other is read: no notes, no assignments. */
export const intercomShape: RecordShape = {
	is: (record) => isObject(record.conversation_parts) || (record.type === "conversation" && isObject(record.source)),
	read(record, place, options) {
		const { source, conversation_parts } = record;
		const parts =
			isObject(conversation_parts) && Array.isArray(conversation_parts.conversation_parts) ? conversation_parts.conversation_parts.filter(isObject) : [];
		const said = parts.filter(({ part_type }) => part_type === "comment" || part_type === undefined);
		const begin = isObject(source) ? [{ created_at: record.created_at, ...source }] : [];
		const messages = [...begin, ...said].map((part) => toPart(part, options.roleMap)).filter((message) => message !== null);
		if (messages.length === 0) throw new RecordError("empty_conversation", "the conversation has no comments with text");
		return [
			fromMessages(
				{ external_id: record.id, end_user_external_id: endUserOf(record), title: record.title, created_at: record.created_at },
				messages,
				place,
				options,
			),
		];
	},
};

/** @throws RecordError `invalid_record`, `unknown_role` */
function toPart({ id, body, created_at, author, attachments }: JsonObject, roleMap: Record<string, string> | undefined): InputMessage | null {
	const text = typeof body === "string" ? htmlToText(body) : "";
	const content = text === "" && Array.isArray(attachments) && attachments.length > 0 ? "[attachment]" : text;
	if (content === "") return null;
	return { role: toRole(isObject(author) ? author.type : undefined, roleMap), content, external_id: toId(id), created_at: toTime(created_at) };
}

/** The contact, or who wrote first. */
function endUserOf({ contacts, source, user }: JsonObject): string | null {
	const contact: unknown =
		isObject(contacts) && Array.isArray(contacts.contacts) ? contacts.contacts[0] : (user ?? (isObject(source) ? source.author : undefined));
	return isObject(contact) ? (toId(contact.external_id) ?? toId(contact.id)) : null;
}
