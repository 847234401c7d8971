import { countTurns } from "../chat.js";
import type { ChatFormat } from "../chat-document.js";
import { ChatSplitter } from "../chat-splitter.js";
import { Collector, toReject } from "../collector.js";
import type { RawValue } from "../json-cursor.js";
import { walkJson } from "../json-walk.js";
import { isObject, type JsonObject } from "../message.js";
import type { Place, ReadOptions } from "../options.js";
import { RecordError } from "../record-error.js";
import { readRecord } from "../record-shapes.js";
import type { InputConversation, RejectedRecord } from "../types.js";
import { toText } from "../utf8.js";
import { parseJson } from "./jsonl.js";
import { type FlatMessage, linkFlatMessages, toFlatMessage } from "./oasst.js";

export type DocumentRecord = InputConversation | RejectedRecord;

interface Gatherer {
	/** Takes an element and passes on what is whole. @throws RecordError */
	add(value: unknown, place: Place): Iterable<DocumentRecord>;
	/** Passes on what is still held, at the end of the document. */
	finish(): Iterable<DocumentRecord>;
}

/** How the elements of a document are put together. `records`: each is a conversation of its own. */
export type Gathering =
	| { kind: "records" }
	/** Messages of one chat, with authors. */
	| { kind: "chat"; format: ChatFormat }
	/** Messages that make one conversation: plain ones, or the comments of one ticket. */
	| { kind: "messages" }
	| { kind: "comments" }
	/** Open Assistant messages, linked by their parents' ids. */
	| { kind: "linked" }
	/** The caller does it. */
	| ({ kind: "elements" } & Gatherer);

/**
 * Reads a JSON document of any size: the elements of the array at `path`, one by one. A broken element is rejected and the rest goes on; a
 * document that is cut off gives what was whole and a reject for the rest.
 */
export async function* readJson(
	bytes: AsyncIterable<Buffer>,
	path: readonly string[],
	gathering: Gathering,
	options: ReadOptions,
): AsyncGenerator<DocumentRecord> {
	const head: Record<string, unknown> = {};
	const gather = createGatherer(gathering, head, options);
	let record = 0;
	for await (const step of walkJson(bytes, path, head)) {
		if (step.kind === "broken") {
			yield toReject(new RecordError("invalid_json", `the JSON document is broken or cut off at line ${step.line}`), { line: step.line, record: ++record }, "");
			continue;
		}
		const place = { line: step.value.line, record: ++record };
		let value: unknown;
		try {
			value = parseElement(step.value);
			yield* gather.add(value, place);
		} catch (error) {
			yield toReject(error, place, step.value.bytes?.toString("utf8") ?? "", countTurns(value));
		}
	}
	yield* gather.finish();
}

/** @throws RecordError `line_too_long`, `invalid_json`, `invalid_utf8` */
function parseElement({ bytes, isWhole, line }: RawValue): unknown {
	if (bytes === null) throw new RecordError("line_too_long", "the record is longer than 64 MiB");
	if (!isWhole) throw new RecordError("invalid_json", `the document is cut off within the record that begins at line ${line}`);
	return parseJson(toText(bytes, 0, bytes.length));
}

function createGatherer(gathering: Gathering, head: JsonObject, options: ReadOptions): Gatherer {
	switch (gathering.kind) {
		case "records":
			return { add: (value, place) => readOne(value, place, options), finish: () => [] };
		case "chat":
			return gatherChat(gathering.format, head, options);
		case "linked":
			return gatherLinked(options);
		case "messages":
			return gatherOne((messages) => messages, options);
		case "comments":
			return gatherOne((comments) => ({ ...head, comments }), options);
		case "elements":
			return gathering;
	}
}

function readOne(value: unknown, place: Place, options: ReadOptions): InputConversation[] {
	const collector = new Collector(options);
	readRecord(value, place, options, collector);
	return collector.finish().conversations;
}

function gatherChat(format: ChatFormat, head: JsonObject, options: ReadOptions): Gatherer {
	let splitter: ChatSplitter | undefined;
	return {
		add(value, place) {
			if (!isObject(value)) throw new RecordError("invalid_record", "a message must be an object");
			splitter ??= new ChatSplitter(format.chatName(head) ?? options.name ?? "chat", options);
			const authored = format.toAuthored(value, head);
			return authored === null ? [] : splitter.add(authored, place);
		},
		finish: () => splitter?.finish() ?? [],
	};
}

function gatherLinked(options: ReadOptions): Gatherer {
	const messages: FlatMessage[] = [];
	return {
		add(value, place) {
			if (!isObject(value)) throw new RecordError("invalid_record", "a message must be an object");
			messages.push(toFlatMessage(value, place, options));
			return [];
		},
		finish: () => linkFlatMessages(messages, options),
	};
}

/** All elements are one record. */
function gatherOne(toRecord: (elements: unknown[]) => unknown, options: ReadOptions): Gatherer {
	const elements: unknown[] = [];
	let first: Place | undefined;
	return {
		add(value, place) {
			first ??= place;
			elements.push(value);
			return [];
		},
		*finish() {
			if (first === undefined) return;
			const record = toRecord(elements);
			try {
				yield* readOne(record, first, options);
			} catch (error) {
				yield toReject(error, first, JSON.stringify(elements), elements.length);
			}
		},
	};
}
