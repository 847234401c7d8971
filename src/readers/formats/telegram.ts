import { type ChatFormat, readChatRecord } from "../chat-document.js";
import { isObject, toId } from "../message.js";
import { RecordError } from "../record-error.js";
import type { RecordShape } from "../record-shapes.js";
import { toTime } from "../time.js";

/** A chat of Telegram Desktop's `result.json`. */
export const telegramChat: ChatFormat = {
	chatName: ({ name, id }) => toId(name) ?? toId(id),
	toAuthored({ id, type, date, date_unixtime, from, from_id, text, media_type, photo, file }, head) {
		if (type !== "message") return null;
		const author = toId(from) ?? toId(from_id);
		if (author === null) throw new RecordError("invalid_record", "the message has no author");
		const said = toText(text);
		const content = said.trim() === "" ? noteOf({ media_type, photo, file }) : said;
		if (content === "") return null;
		// Telegram does not mark programs; only a chat with one is called after it.
		const isBot = head.type === "bot_chat" && author === head.name;
		return { author, isBot, content, external_id: toId(id), created_at: toTime(date_unixtime ?? date) };
	},
};

/** A text is a string, or a list of strings and of objects with a text (links, bold words). */
function toText(text: unknown): string {
	if (typeof text === "string") return text;
	if (!Array.isArray(text)) return "";
	return text.map((part: unknown) => (typeof part === "string" ? part : isObject(part) && typeof part.text === "string" ? part.text : "")).join("");
}

function noteOf({ media_type, photo, file }: { media_type: unknown; photo: unknown; file: unknown }): string {
	if (typeof media_type === "string" && /^\w{1,24}$/.test(media_type)) return `[${media_type}]`;
	if (photo !== undefined) return "[image]";
	return file === undefined ? "" : "[file]";
}

/** A chat, or a whole export with its list of chats, that stands as one record. */
export const telegramShape: RecordShape = {
	is: (record) => isChat(record) || (isObject(record.chats) && Array.isArray(record.chats.list)),
	read(record, place, options) {
		if (isChat(record)) return readChatRecord(telegramChat, record, place, options);
		const chats = (record.chats as { list: unknown[] }).list.filter((chat) => isObject(chat) && Array.isArray(chat.messages) && chat.messages.length > 0);
		return chats.flatMap((chat, at) => readChatRecord(telegramChat, chat as Record<string, unknown>, place, { ...options, name: `chat ${at + 1}` }));
	},
};

/** Kinds of chats, as Telegram Desktop names them (export_output_json.cpp). */
const KINDS = new Set([
	"saved_messages",
	"replies",
	"verification_codes",
	"personal_chat",
	"bot_chat",
	"private_group",
	"private_supergroup",
	"public_supergroup",
	"private_channel",
	"public_channel",
]);

function isChat(record: Readonly<Record<string, unknown>>): boolean {
	return Array.isArray(record.messages) && KINDS.has(record.type as string);
}

/** Whether the head of a JSON document is that of one Telegram chat. */
export function isTelegramChatHead(keys: ReadonlySet<string>, head: string): boolean {
	return keys.has("messages") && keys.has("type") && KINDS.has(/"type"\s*:\s*"(\w+)"/.exec(head)?.[1] ?? "");
}

/** Whether the head of a JSON document is that of a whole Telegram export. */
export function isTelegramExportHead(keys: ReadonlySet<string>): boolean {
	return keys.has("chats") || (keys.has("about") && keys.has("personal_information"));
}
