import { toConversation } from "../chat.js";
import { isObject, type JsonObject, toId } from "../message.js";
import { RecordError } from "../record-error.js";
import type { RecordShape } from "../record-shapes.js";

/** A sample of an inspect_ai log. Its name is the sample's id and epoch, since every epoch runs all samples. */
export const inspectShape: RecordShape = {
	is: (record) => "epoch" in record && Array.isArray(record.messages),
	read(record, place, options) {
		// A model that only calls tools, or thinks without speaking, leaves messages without text.
		const said = (record.messages as unknown[]).filter((message) => !isObject(message) || hasContent(message));
		if (said.length === 0) throw new RecordError("empty_conversation", "the sample has no messages with text");
		return [toConversation({ external_id: `${toId(record.id) ?? place.record}#${toId(record.epoch) ?? 1}` }, said, place, options)];
	},
};

function hasContent({ content, tool_calls }: JsonObject): boolean {
	return (content !== undefined && content !== null && content !== "" && !(Array.isArray(content) && content.length === 0)) || Array.isArray(tool_calls);
}

/** Whether the head of a JSON document is that of an inspect_ai log. */
export function isInspectHead(keys: ReadonlySet<string>): boolean {
	return keys.has("eval") && (keys.has("plan") || keys.has("samples") || keys.has("status"));
}
