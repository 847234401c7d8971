import { readChat } from "./chat.js";
import type { Collector } from "./collector.js";
import { chatgptShape } from "./formats/chatgpt.js";
import { claudeShape } from "./formats/claude.js";
import { discordShape } from "./formats/discord.js";
import { inspectShape } from "./formats/inspect-ai.js";
import { intercomShape } from "./formats/intercom.js";
import { oasstShape } from "./formats/oasst.js";
import { batchShape } from "./formats/openai-batch.js";
import { promptfooShape } from "./formats/promptfoo.js";
import { telegramShape } from "./formats/telegram.js";
import { transcriptShape } from "./formats/transcript.js";
import { zendeskShape } from "./formats/zendesk.js";
import { isObject, type JsonObject } from "./message.js";
import type { Place, ReadOptions } from "./options.js";
import { RecordError } from "./record-error.js";
import type { InputConversation } from "./types.js";

/** A kind of JSON record that holds whole conversations, wherever it stands: in a line of JSONL, in an array, or as a document. */
export interface RecordShape {
	/** Whether the record is of this shape; must be cheap. */
	is(record: JsonObject): boolean;
	/** @throws RecordError */
	read(record: JsonObject, place: Place, options: ReadOptions): InputConversation[];
}

/** Shapes by the name of their format. A shape is one file and one line here. */
export const SHAPES = {
	chatgpt: chatgptShape,
	claude: claudeShape,
	"openai-batch": batchShape,
	transcript: transcriptShape,
	oasst: oasstShape,
	discord: discordShape,
	telegram: telegramShape,
	intercom: intercomShape,
	zendesk: zendeskShape,
	"inspect-ai": inspectShape,
	promptfoo: promptfooShape,
} satisfies Record<string, RecordShape>;
export type ShapeName = keyof typeof SHAPES;
const ALL = Object.values(SHAPES) as RecordShape[];

export function isShapeName(name: string | undefined): name is ShapeName {
	return name !== undefined && Object.hasOwn(SHAPES, name);
}

/** Name of the shape of a record; undefined for the spec's own shapes and for what is none. */
export function shapeOf(record: unknown): ShapeName | undefined {
	if (!isObject(record)) return undefined;
	return (Object.keys(SHAPES) as ShapeName[]).find((name) => SHAPES[name].is(record));
}

/** Reads a JSON value of any accepted shape into the collector. `options.format` may name the shape. @throws RecordError */
export function readRecord(value: unknown, place: Place, options: ReadOptions, collector: Collector): void {
	const shape = isObject(value) ? findShape(value, options) : undefined;
	if (shape !== undefined) {
		for (const conversation of shape.read(value as JsonObject, place, options)) collector.add(conversation);
		return;
	}
	const read = readChat(value, place, options);
	if ("messages" in read) collector.add(read);
	else collector.addMessage(read, place);
}

function findShape(record: JsonObject, { format }: ReadOptions): RecordShape | undefined {
	if (isShapeName(format)) {
		if (SHAPES[format].is(record)) return SHAPES[format];
		throw new RecordError("invalid_record", `the record is none of the format ${format}`);
	}
	// A line of JSONL that is a plain message needs no look at every shape.
	if (typeof record.role === "string" && typeof record.content === "string") return undefined;
	return ALL.find((shape) => shape.is(record));
}
