import { fromMessages } from "../chat.js";
import { isObject, type JsonObject, toId } from "../message.js";
import type { Place, ReadOptions } from "../options.js";
import { htmlToText } from "../plain-text.js";
import { RecordError } from "../record-error.js";
import type { RecordShape } from "../record-shapes.js";
import { toRole } from "../roles.js";
import { toTime } from "../time.js";
import type { InputConversation, InputMessage } from "../types.js";

/** Zendesk: a ticket with its comments, a list of comments, or a chat with its history. */
export const zendeskShape: RecordShape = {
	is: (record) => isCommentList(record.comments) || isHistory(record.history),
	read: (record, place, options) => [isHistory(record.history) ? readChat(record, place, options) : readTicket(record, place, options)],
};

function isCommentList(list: unknown): boolean {
	return Array.isArray(list) && list.length > 0 && isObject(list[0]) && "author_id" in list[0];
}

function isHistory(list: unknown): boolean {
	return Array.isArray(list) && list.some((item) => isObject(item) && ("sender_type" in item || item.type === "chat.msg"));
}

/** The requester is the end user, everybody else answers; without a requester it is who wrote first. Private notes are no part of the talk. */
function readTicket(record: JsonObject, place: Place, options: ReadOptions): InputConversation {
	const comments = (record.comments as unknown[]).filter(isObject).filter(({ public: isPublic }) => isPublic !== false);
	const requester = toId(record.requester_id) ?? toId(comments[0]?.author_id);
	const messages = comments.map((comment): InputMessage | null => {
		const { id, author_id, plain_body, body, html_body, created_at, attachments } = comment;
		const text = typeof plain_body === "string" ? plain_body : typeof body === "string" ? body : typeof html_body === "string" ? htmlToText(html_body) : "";
		const content = text.trim() === "" && Array.isArray(attachments) && attachments.length > 0 ? "[attachment]" : text;
		if (content.trim() === "") return null;
		return { role: toId(author_id) === requester ? "user" : "assistant", content, external_id: toId(id), created_at: toTime(created_at) };
	});
	const said = messages.filter((message) => message !== null);
	if (said.length === 0) throw new RecordError("empty_conversation", "the ticket has no public comments with text");
	const head = {
		external_id: record.external_id ?? record.ticket_id ?? record.id,
		end_user_external_id: requester,
		title: record.subject,
		created_at: record.created_at,
	};
	return fromMessages(head, said, place, options);
}

function readChat(record: JsonObject, place: Place, options: ReadOptions): InputConversation {
	const messages = (record.history as unknown[]).filter(isObject).map((item): InputMessage | null => {
		const { type, msg, msg_id, sender_type, timestamp, created_at } = item;
		if ((type !== undefined && type !== "chat.msg") || typeof msg !== "string" || msg.trim() === "") return null;
		return { role: toRole(sender_type, options.roleMap), content: msg, external_id: toId(msg_id), created_at: toTime(timestamp ?? created_at) };
	});
	const said = messages.filter((message) => message !== null);
	if (said.length === 0) throw new RecordError("empty_conversation", "the chat has no messages with text");
	const visitor = isObject(record.visitor) ? (toId(record.visitor.id) ?? toId(record.visitor.name)) : toId(record.visitor_id);
	return fromMessages({ external_id: record.id, end_user_external_id: visitor, started_at: record.timestamp }, said, place, options);
}

/** Whether the first element of an array is a comment of a ticket: the array is then the comments of one ticket, or of several with `ticket_id`. */
export function isComment(value: unknown): value is JsonObject {
	return isObject(value) && "author_id" in value && ("body" in value || "plain_body" in value) && value.comments === undefined;
}
