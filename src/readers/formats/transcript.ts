import { fromMessages } from "../chat.js";
import { type JsonObject, toId } from "../message.js";
import { RecordError } from "../record-error.js";
import type { RecordShape } from "../record-shapes.js";
import type { InputMessage } from "../types.js";

/** Fields that hold a conversation as one text. */
const FIELDS = ["chosen", "rejected", "transcript"] as const;
const TURN = /\n\n(Human|Assistant): ?/g;

/** Anthropic-style transcripts: one text with `\n\nHuman:` and `\n\nAssistant:`. A pair of `chosen` and `rejected` is two conversations. */
export const transcriptShape: RecordShape = {
	is: (record) => FIELDS.some((name) => isTranscript(record[name])),
	read(record, place, options) {
		const names = FIELDS.filter((name) => isTranscript(record[name]));
		const id = toId(record.external_id ?? record.id);
		return names
			.map((part) => {
				const external_id = id === null || names.length === 1 ? id : `${id}/${part}`;
				const conversation = fromMessages({ ...headOf(record), external_id }, parseTranscript(record[part] as string), place, options);
				return { ...conversation, ...(names.length > 1 ? { part } : {}) };
			})
			.map((conversation, at) => (at === 0 ? conversation : { ...conversation, records: 0 }));
	},
};

function headOf({ end_user_external_id, user_id, title, started_at }: JsonObject): JsonObject {
	return { end_user_external_id, user_id, title, started_at };
}

function isTranscript(value: unknown): boolean {
	return typeof value === "string" && /^\s*(?:Human|Assistant):/.test(value);
}

/** @throws RecordError `empty_conversation` */
function parseTranscript(text: string): InputMessage[] {
	const pieces = `\n\n${text.trimStart()}`.split(TURN);
	const messages: InputMessage[] = [];
	for (let at = 1; at + 1 < pieces.length; at += 2) {
		const content = (pieces[at + 1] as string).trim();
		if (content !== "") messages.push({ role: pieces[at] === "Human" ? "user" : "assistant", content, external_id: null, created_at: null });
	}
	if (messages.length === 0) throw new RecordError("empty_conversation", "the transcript has no turns with text");
	return messages;
}
