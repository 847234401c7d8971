import { countTurns, readValue, toConversation } from "./conversation.js";
import { FIELDS, pick, RecordError, toId } from "./message.js";
import type { ReadOptions } from "./options.js";
import type { InputConversation, RejectedRecord } from "./types.js";

/** Reads a whole JSON document: an array of conversations, one conversation, or a ChatGPT data export. */
export function* readJsonDocument(value: unknown, options: ReadOptions): Generator<InputConversation | RejectedRecord> {
	const records = Array.isArray(value) ? value : [value];
	for (const [at, record] of records.entries()) {
		const place = { line: 1, record: at + 1 };
		try {
			yield readRecord(record, place, options);
		} catch (error) {
			if (!(error instanceof RecordError)) throw error;
			yield {
				...place,
				code: error.code,
				message: `record ${place.record}: ${error.message}`,
				raw: JSON.stringify(record).slice(0, 1 << 20),
				turns: countTurns(record),
			};
		}
	}
}

function readRecord(record: unknown, place: { line: number; record: number }, options: ReadOptions): InputConversation {
	if (isTree(record)) return readTree(record, place, options);
	const read = readValue(record, place, options);
	if (read.kind === "conversation") return read.conversation;
	return {
		external_id: read.session,
		end_user_external_id: read.endUser,
		title: read.title,
		started_at: null,
		messages: [read.message],
		...place,
		records: 1,
		piece: true,
	};
}

interface Tree extends Record<string, unknown> {
	mapping: Record<string, { message?: unknown; parent?: string | null } | undefined>;
}

function isTree(record: unknown): record is Tree {
	return typeof record === "object" && record !== null && typeof (record as Tree).mapping === "object" && (record as Tree).mapping !== null;
}

/** A ChatGPT conversation is a tree: the shown branch is the way from `current_node` up through `parent`. */
function readTree(record: Tree, place: { line: number; record: number }, options: ReadOptions): InputConversation {
	const messages: unknown[] = [];
	const seen = new Set<string>();
	for (let id = toId(record.current_node); id !== null && !seen.has(id); id = toId(record.mapping[id]?.parent)) {
		seen.add(id);
		const message = toPlainMessage(record.mapping[id]?.message);
		if (message !== null) messages.push(message);
	}
	return toConversation({ ...record, id: pick(record, ["conversation_id", "id"]) }, messages.reverse(), place, options);
}

/** A shown message with text; null for hidden, empty and technical nodes. */
function toPlainMessage(value: unknown): Record<string, unknown> | null {
	if (typeof value !== "object" || value === null) return null;
	const { id, author, content, create_time, metadata } = value as {
		id?: unknown;
		author?: { role?: unknown };
		content?: { content_type?: string; parts?: unknown[]; text?: unknown };
		create_time?: unknown;
		metadata?: Record<string, unknown>;
	};
	if (metadata?.is_visually_hidden_from_conversation === true || metadata?.is_user_system_message === true) return null;
	const type = content?.content_type ?? "text";
	if (type === "user_editable_context" || type === "model_editable_context" || type === "thoughts" || type === "reasoning_recap") return null;
	const parts = content?.parts?.map((part) => (typeof part === "string" ? part : toPartText(part))) ?? [content?.text];
	const text = parts.filter((part) => typeof part === "string" && part !== "").join("\n");
	if (text.trim() === "") return null;
	return { role: author?.role, content: text, [FIELDS.createdAt[0]]: create_time, external_id: id };
}

function toPartText(part: unknown): string {
	const { text, content_type } = (part ?? {}) as { text?: unknown; content_type?: unknown };
	return typeof text === "string" ? text : `[${typeof content_type === "string" ? content_type : "part"}]`;
}
