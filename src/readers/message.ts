import { z } from "zod";
import type { ErrorCode } from "../errors.js";
import type { Role } from "../types.js";
import type { InputMessage } from "./types.js";

/** A problem of one record; the record is rejected with it. The message never quotes people's text. */
export class RecordError extends Error {
	constructor(
		readonly code: ErrorCode,
		message: string,
	) {
		super(message);
	}
}

/** Roles as exports write them. */
const ROLE_NAMES: Record<string, Role> = {
	user: "user",
	human: "user",
	prompter: "user",
	customer: "user",
	visitor: "user",
	client: "user",
	lead: "user",
	"end-user": "user",
	end_user: "user",
	enduser: "user",
	other: "user",
	member: "user",
	seeker: "user",
	usr: "user",
	assistant: "assistant",
	gpt: "assistant",
	chatgpt: "assistant",
	bot: "assistant",
	ai: "assistant",
	model: "assistant",
	agent: "assistant",
	admin: "assistant",
	operator: "assistant",
	support: "assistant",
	supporter: "assistant",
	bing: "assistant",
	bard: "assistant",
	claude: "assistant",
	system_assistant: "assistant",
	sys: "assistant",
	therapist: "assistant",
	system: "system",
	developer: "system",
	tool: "tool",
	function: "tool",
	ipython: "tool",
	observation: "tool",
};
const SHORT_TOKEN = /^[\w .-]{1,24}$/;

/** @throws RecordError `unknown_role` */
export function toRole(value: unknown, roleMap: Readonly<Record<string, string>>): Role {
	const written = typeof value === "string" ? value.trim().toLowerCase() : "";
	const mapped = (roleMap[written] ?? written).toLowerCase();
	const role = ROLE_NAMES[mapped];
	if (role !== undefined) return role;
	const shown = SHORT_TOKEN.test(written) ? ` "${written}"` : "";
	throw new RecordError("unknown_role", `the role${shown} is not known; map it with --role-map ${SHORT_TOKEN.test(written) ? written : "value"}=user`);
}

const partSchema = z.looseObject({ type: z.string().optional(), text: z.string().optional() });
const contentSchema = z.union([z.string(), z.array(z.union([z.string(), partSchema])), z.null(), z.undefined()]);

/**
 * Text of a message: a string, or OpenAI's array of parts (texts joined by line breaks, other parts noted as `[type]`).
 * @throws RecordError `invalid_record` when there is no text
 */
export function toContent(value: unknown, hasToolCalls: boolean): string {
	const parsed = contentSchema.safeParse(value);
	if (!parsed.success) throw new RecordError("invalid_record", "content must be a text or an array of parts");
	const content = parsed.data ?? "";
	const text =
		typeof content === "string" ? content : content.map((part) => (typeof part === "string" ? part : (part.text ?? `[${part.type ?? "part"}]`))).join("\n");
	if (text.trim() !== "") return text;
	if (hasToolCalls) return "[tool call]";
	throw new RecordError("invalid_record", "content is empty");
}

/** Milliseconds since 1970 UTC of an ISO text, or of a number in seconds or milliseconds; null when absent. @throws RecordError */
export function toTime(value: unknown): number | null {
	if (value === null || value === undefined || value === "") return null;
	if (typeof value === "number" || (typeof value === "string" && /^\d{9,14}(\.\d+)?$/.test(value))) {
		const number = Number(value);
		// Below 10^11 it counts seconds: 10^11 ms is 1973, 10^11 s the year 5138.
		return Math.round(number < 1e11 ? number * 1000 : number);
	}
	if (typeof value === "string") {
		const time = Date.parse(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(value) ? `${value.replace(" ", "T")}Z` : value);
		if (!Number.isNaN(time)) return time;
	}
	throw new RecordError("invalid_record", "a time must be ISO 8601 or a number of seconds or milliseconds since 1970");
}

/** An id as text; null when absent. */
export function toId(value: unknown): string | null {
	if (typeof value === "number" || typeof value === "bigint") return String(value);
	return typeof value === "string" && value !== "" ? value : null;
}

/** The first of several fields that is there. */
export function pick(record: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
	for (const name of names) {
		const value = record[name];
		if (value !== undefined && value !== null && value !== "") return value;
	}
	return undefined;
}

/** Names that fields go by, the product's own first. */
export const FIELDS = {
	session: ["session_id", "session_external_id", "external_id", "conversation_id", "id", "uuid"],
	sessionOfMessage: ["session_id", "session_external_id", "conversation_id", "session", "conversation", "chat_id", "thread_id"],
	endUser: ["end_user_external_id", "end_user", "user_id"],
	title: ["title", "name"],
	startedAt: ["started_at", "create_time", "created_at"],
	role: ["role", "from", "sender", "speaker", "author"],
	content: ["content", "value", "text", "message", "body"],
	createdAt: ["created_at", "timestamp", "create_time", "time", "date"],
	messageId: ["external_id", "message_id", "id", "uuid"],
} as const;

/** A message object of any of the accepted shapes. @throws RecordError */
export function toMessage(value: unknown, roleMap: Readonly<Record<string, string>>, idNames: readonly string[] = FIELDS.messageId): InputMessage {
	if (typeof value !== "object" || value === null || Array.isArray(value))
		throw new RecordError("invalid_record", "a message must be an object with role and content");
	const record = value as Record<string, unknown>;
	return {
		role: toRole(pick(record, FIELDS.role), roleMap),
		content: toContent(pick(record, FIELDS.content), Array.isArray(record.tool_calls) || record.function_call !== undefined),
		external_id: toId(pick(record, idNames)),
		created_at: toTime(pick(record, FIELDS.createdAt)),
	};
}
