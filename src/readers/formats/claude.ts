import { fromMessages } from "../chat.js";
import { isObject, type JsonObject, toId } from "../message.js";
import { RecordError } from "../record-error.js";
import type { RecordShape } from "../record-shapes.js";
import { toRole } from "../roles.js";
import { toTime } from "../time.js";
import type { InputMessage } from "../types.js";

/** A conversation of a claude.ai data export. The account is the end user. */
export const claudeShape: RecordShape = {
	is: (record) => Array.isArray(record.chat_messages),
	read(record, place, options) {
		const messages = (record.chat_messages as unknown[]).map((message, at): InputMessage | null => {
			if (!isObject(message)) throw new RecordError("invalid_record", `message ${at} (counted from 0) is no object`);
			const content = toText(message);
			if (content === "") return null;
			return { role: toRole(message.sender, options.roleMap), content, external_id: toId(message.uuid), created_at: toTime(message.created_at) };
		});
		const shown = messages.filter((message) => message !== null);
		if (shown.length === 0) throw new RecordError("empty_conversation", "the conversation has no messages with text");
		const account = isObject(record.account) ? toId(record.account.uuid) : null;
		return [
			fromMessages({ external_id: record.uuid, end_user_external_id: account, title: record.name, created_at: record.created_at }, shown, place, options),
		];
	},
};

/** What was said: the text blocks, without what the model thought; tools and files are noted. Empty when there is nothing (a stopped answer). */
function toText({ text, content, attachments, files }: JsonObject): string {
	const blocks = Array.isArray(content) ? content.filter(isObject) : [];
	const said = blocks
		.filter(({ type, text: words }) => type === "text" && typeof words === "string" && words.trim() !== "")
		.map(({ text: words }) => words as string);
	if (said.length > 0) return said.join("\n");
	if (typeof text === "string" && text.trim() !== "") return text;
	if (blocks.some(({ type }) => type === "tool_use" || type === "tool_result")) return "[tool call]";
	return [attachments, files].some((list) => Array.isArray(list) && list.length > 0) ? "[attachment]" : "";
}
