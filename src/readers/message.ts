import { z } from "zod";
import type { ReadOptions } from "./options.js";
import { RecordError } from "./record-error.js";
import { toRole } from "./roles.js";
import { toTime } from "./time.js";
import type { InputMessage } from "./types.js";

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Names that fields go by, the product's own first. */
export const FIELDS = {
	session: ["external_id", "session_id", "session_external_id", "conversation_id", "conversation_hash", "id", "uuid"],
	/** Of a message a line, where `external_id` and `id` name the message if the session has a name of its own. */
	sessionOfMessage: [
		"session_id",
		"session_external_id",
		"conversation_id",
		"session",
		"conversation",
		"chat_id",
		"thread_id",
		"ticket_id",
		"external_id",
		"id",
	],
	endUser: ["end_user_external_id", "end_user", "user_id"],
	title: ["title", "name", "subject"],
	startedAt: ["started_at", "create_time", "created_at"],
	role: ["role", "from", "sender", "speaker", "author"],
	content: ["content", "value", "text", "message", "body"],
	createdAt: ["created_at", "timestamp", "create_time", "time", "date"],
	messageId: ["external_id", "message_id", "id", "uuid"],
} as const;

/** The first of several fields that is there and not empty. */
export function pick(record: JsonObject, names: readonly string[]): unknown {
	for (const name of names) {
		const value = record[name];
		if (value !== undefined && value !== null && value !== "") return value;
	}
	return undefined;
}

/** An id or a name as text; null when absent. */
export function toId(value: unknown): string | null {
	if (typeof value === "string") return value === "" ? null : value;
	return typeof value === "number" ? String(value) : null;
}

/** A copy with the product's names for the file's (`--map`). */
export function renamed(record: JsonObject, map: Readonly<Record<string, string>> | undefined): JsonObject {
	if (map === undefined) return record;
	const copy: Record<string, unknown> = { ...record };
	for (const [name, written] of Object.entries(map)) if (Object.hasOwn(record, written)) copy[name] = record[written];
	return copy;
}

const partSchema = z.looseObject({ type: z.string().optional(), text: z.union([z.string(), z.looseObject({ value: z.string() })]).optional() });
const contentSchema = z.union([z.string(), z.array(z.union([z.string(), partSchema])), z.looseObject({ parts: z.array(z.unknown()) })]).nullish();
/** What a model thinks and does not say. */
const UNSPOKEN = new Set(["reasoning", "thinking", "redacted_thinking"]);
const TYPE_TOKEN = /^[\w-]{1,40}$/;

/** Text of one part of an array content; other parts are noted by their type, e.g. `[image]`. */
function toPartText(part: string | z.infer<typeof partSchema>): string {
	if (typeof part === "string") return part;
	if (part.text !== undefined) return typeof part.text === "string" ? part.text : part.text.value;
	const type = part.type?.replace(/_url$|^input_/g, "");
	return `[${type !== undefined && TYPE_TOKEN.test(type) ? type : "part"}]`;
}

/**
 * Text of a message: a string, or OpenAI's array of parts (texts joined by line breaks, other parts noted as `[image]`), or ChatGPT's
 * `{ parts }`. An assistant message of tool calls only is `[tool call]`.
 * @throws RecordError `invalid_record` when there is no text
 */
export function toContent(value: unknown, hasToolCalls = false): string {
	if (typeof value === "string" && value.trim() !== "") return value;
	const parsed = contentSchema.safeParse(value);
	if (!parsed.success) throw new RecordError("invalid_record", "content must be a text or an array of parts");
	const content = parsed.data ?? "";
	if (typeof content === "object" && !Array.isArray(content)) return toContent(content.parts, hasToolCalls);
	const parts = typeof content === "string" ? [content] : content.filter((part) => typeof part === "string" || !UNSPOKEN.has(part.type ?? "")).map(toPartText);
	const text = parts.join("\n");
	if (text.trim() !== "") return text;
	if (hasToolCalls) return "[tool call]";
	throw new RecordError("invalid_record", "the message has no content");
}

/** A message object of any of the accepted shapes. @throws RecordError `invalid_record`, `unknown_role` */
export function toMessage(value: unknown, options: ReadOptions, idNames: readonly string[] = FIELDS.messageId): InputMessage {
	if (!isObject(value)) throw new RecordError("invalid_record", "a message must be an object with role and content");
	return fromFields(options.map === undefined ? value : renamed(value, options.map), options, idNames);
}

/** A message object whose fields have the product's names, or names of `FIELDS`. @throws RecordError `invalid_record`, `unknown_role` */
export function fromFields(message: JsonObject, { roleMap }: ReadOptions, idNames: readonly string[]): InputMessage {
	const author = pick(message, FIELDS.role);
	const content = pick(message, FIELDS.content);
	return {
		role: toRole(isObject(author) ? (author.role ?? author.type) : author, roleMap),
		content: toContent(content, typeof content !== "string" && hasToolCalls(message)),
		external_id: toId(pick(message, idNames)),
		created_at: toTime(pick(message, FIELDS.createdAt)),
	};
}

function hasToolCalls({ tool_calls, function_call, refusal }: JsonObject): boolean {
	return (Array.isArray(tool_calls) && tool_calls.length > 0) || isObject(function_call) || typeof refusal === "string";
}

/** Messages in order of time, if that was asked for; those without a time stay behind the one before them. */
export function sorted(messages: InputMessage[], { sortBy }: ReadOptions): InputMessage[] {
	if (sortBy !== "created_at") return messages;
	let last = Number.NEGATIVE_INFINITY;
	const keyed = messages.map((message) => {
		last = message.created_at ?? last;
		return { message, time: last };
	});
	// Array.prototype.sort is stable, so equal times keep the file's order. Two -Infinity differ by NaN, which counts as equal.
	return keyed.sort((left, right) => left.time - right.time || 0).map(({ message }) => message);
}
