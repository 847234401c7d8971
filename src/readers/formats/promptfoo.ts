import { toConversation } from "../chat.js";
import { isObject, type JsonObject, toId } from "../message.js";
import { RecordError } from "../record-error.js";
import type { RecordShape } from "../record-shapes.js";

/** A result of promptfoo: the prompt that was sent (a text, or chat messages as JSON) and what came back. */
export const promptfooShape: RecordShape = {
	is: (record) => isObject(record.prompt) && typeof record.prompt.raw === "string" && ("response" in record || "vars" in record),
	read(record, place, options) {
		const { raw } = record.prompt as { raw: string };
		const output = isObject(record.response) ? record.response.output : undefined;
		const answer = typeof output === "string" ? output : output === undefined || output === null ? "" : JSON.stringify(output);
		const messages = [...toMessages(raw), ...(answer.trim() === "" ? [] : [{ role: "assistant", content: answer }])];
		if (messages.length === 0) throw new RecordError("empty_conversation", "the result has neither prompt nor output");
		return [toConversation({ external_id: nameOf(record) }, messages, place, options)];
	},
};

/** The prompt as messages: it is a JSON array of them, or one user's text. */
function toMessages(raw: string): unknown[] {
	if (raw.trimStart().startsWith("[")) {
		try {
			const parsed: unknown = JSON.parse(raw);
			if (Array.isArray(parsed) && parsed.length > 0 && parsed.every((message) => isObject(message) && "role" in message)) return parsed;
		} catch {
			// A text that begins with a bracket is a text.
		}
	}
	return raw.trim() === "" ? [] : [{ role: "user", content: raw }];
}

/** The result's id, or its place in the evaluation's table. */
function nameOf({ id, testIdx, promptIdx, promptId, provider }: JsonObject): string | null {
	if (toId(id) !== null) return toId(id);
	if (typeof testIdx !== "number") return null;
	const model = isObject(provider) ? toId(provider.id) : toId(provider);
	return [`test ${testIdx}`, `prompt ${toId(promptIdx) ?? toId(promptId) ?? 0}`, model].filter((part) => part !== null).join("/");
}

/** Whether the head of a JSON document is that of a promptfoo result file. */
export function isPromptfooHead(keys: ReadonlySet<string>, head: string): boolean {
	return keys.has("results") && (keys.has("evalId") || /"promptIdx"|"promptId"|"testCase"/.test(head));
}
