import { toConversation } from "../chat.js";
import { isObject, type JsonObject, toId } from "../message.js";
import type { Place, ReadOptions } from "../options.js";
import { RecordError } from "../record-error.js";
import type { RecordShape } from "../record-shapes.js";
import type { InputConversation } from "../types.js";

/** Contents that are never shown in the chat: instructions, memory, and what the model thought. */
const UNSEEN = new Set(["user_editable_context", "model_editable_context", "thoughts", "reasoning_recap", "system_error"]);

/** A conversation of a ChatGPT data export (`conversations.json`): a tree of messages, of which `current_node` names the end that is shown. */
export const chatgptShape: RecordShape = {
	is: (record) => isObject(record.mapping),
	read: (record, place, options) => [readTree(record, place, options)],
};

/** The shown branch is the way from `current_node` up through `parent`; regenerated branches are left out. */
function readTree(record: JsonObject, place: Place, options: ReadOptions): InputConversation {
	const mapping = record.mapping as JsonObject;
	const messages: JsonObject[] = [];
	const seen = new Set<string>();
	for (let id = toId(record.current_node) ?? lastLeaf(mapping); id !== null && !seen.has(id); ) {
		seen.add(id);
		const node = Object.hasOwn(mapping, id) ? mapping[id] : undefined;
		if (!isObject(node)) break;
		const message = isObject(node.message) ? toShownMessage(node.message) : null;
		if (message !== null) messages.push(message);
		id = toId(node.parent);
	}
	if (messages.length === 0) throw new RecordError("empty_conversation", "the shown branch has no messages with text");
	return toConversation({ ...record, external_id: record.conversation_id ?? record.id }, messages.reverse(), place, { ...options, map: undefined });
}

/** Old exports name no current node: the last node without children ends the branch that was shown last. */
function lastLeaf(mapping: JsonObject): string | null {
	let leaf: string | null = null;
	for (const [id, node] of Object.entries(mapping)) if (isObject(node) && (!Array.isArray(node.children) || node.children.length === 0)) leaf = id;
	return leaf;
}

/** A message as people saw it; null for hidden, empty and technical ones. */
function toShownMessage({ id, author, content, create_time, metadata }: JsonObject): JsonObject | null {
	if (!isObject(content) || !isObject(author)) return null;
	if (isObject(metadata) && (metadata.is_visually_hidden_from_conversation === true || metadata.is_user_system_message === true)) return null;
	const type = typeof content.content_type === "string" ? content.content_type : "text";
	if (UNSEEN.has(type)) return null;
	const parts = Array.isArray(content.parts) ? content.parts.map(toPartText) : [content.text ?? content.result];
	const text = parts.filter((part) => typeof part === "string" && part.trim() !== "").join("\n");
	return text === "" ? null : { role: author.role, content: text, created_at: create_time, external_id: id };
}

/** A part is a text, or an object: the text of a voice message, or an image, which is noted. */
function toPartText(part: unknown): string {
	if (typeof part === "string") return part;
	if (!isObject(part)) return "";
	if (typeof part.text === "string") return part.text;
	return part.content_type === "image_asset_pointer" ? "[image]" : "[attachment]";
}
