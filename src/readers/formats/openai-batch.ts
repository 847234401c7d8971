import { fromMessages, toConversation } from "../chat.js";
import { isObject, toId, toMessage } from "../message.js";
import { RecordError } from "../record-error.js";
import type { RecordShape } from "../record-shapes.js";

/**
 * Lines of OpenAI's Batch API: the request (`body.messages`, or `body.input` of the Responses API), or the answer (`response.body`), which
 * is a further piece of the session that `custom_id` names. Both are pieces, for they stand in two files.
 */
export const batchShape: RecordShape = {
	is: (record) => record.custom_id !== undefined && (isObject(record.body) || record.response !== undefined),
	read(record, place, options) {
		const id = toId(record.custom_id);
		if (isObject(record.body)) {
			const { messages, input, user } = record.body;
			const list = Array.isArray(messages) ? messages : typeof input === "string" ? [{ role: "user", content: input }] : input;
			if (!Array.isArray(list)) throw new RecordError("invalid_record", "the request has neither messages nor input");
			return [{ ...toConversation({ external_id: id, end_user_external_id: user }, list, place, options), piece: true }];
		}
		const body = isObject(record.response) ? record.response.body : undefined;
		const message = answerOf(body);
		if (message === undefined) throw new RecordError("invalid_record", "the batch line holds an error or no answer");
		// The answer's own id tells it again when the file is run a second time with --append.
		const answer = { ...toMessage(message, options, []), external_id: isObject(body) ? toId(body.id) : null };
		return [{ ...fromMessages({ external_id: id }, [answer], place, options), piece: true }];
	},
};

/** The first answer of a chat completion or of a response. */
function answerOf(body: unknown): unknown {
	if (!isObject(body)) return undefined;
	const choice: unknown = Array.isArray(body.choices) ? body.choices[0] : undefined;
	if (isObject(choice)) return choice.message;
	return Array.isArray(body.output) ? body.output.find((item) => isObject(item) && item.type === "message") : undefined;
}
