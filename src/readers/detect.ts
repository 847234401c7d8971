import { LabelError } from "../errors.js";
import { discordChat, isDiscordHead } from "./formats/discord.js";
import { isInspectHead } from "./formats/inspect-ai.js";
import type { Gathering } from "./formats/json.js";
import { isFlatMessage } from "./formats/oasst.js";
import { isPromptfooHead } from "./formats/promptfoo.js";
import { isTelegramChatHead, isTelegramExportHead, telegramChat } from "./formats/telegram.js";
import { isWhatsapp } from "./formats/whatsapp.js";
import { isComment } from "./formats/zendesk.js";
import { firstElement, topLevelKeys } from "./json-walk.js";
import { isObject, type JsonObject } from "./message.js";
import { shapeOf } from "./record-shapes.js";

/** How an input is to be read. `name` is what people are told; the rest says what to do. */
export type Detected =
	| { name: string; kind: "jsonl" }
	| { name: string; kind: "csv" }
	| { name: string; kind: "whatsapp" }
	| { name: string; kind: "json"; path: readonly string[]; gathering: Gathering };

/** Lines looked at to tell JSONL with a broken beginning from a document that is written over several lines. */
const MOST_LINES = 100;
const RECORDS: Gathering = { kind: "records" };
/** Keys under which programs wrap a list of conversations. */
const WRAPPERS = ["conversations", "sessions", "tickets", "chats", "data", "items", "results"] as const;

/**
 * Tells a format from the first bytes of a text.
 * @param head at least 64 KiB, or all there is
 * @param isWhole whether that is all
 * @throws LabelError `format_unknown`
 */
export function detect(head: Buffer, isWhole: boolean, source: string): Detected {
	const text = head.toString("utf8");
	const start = text.trimStart();
	if (start.startsWith("[") && !isWhatsapp(start) && /^\[\s*[[{"\]]/.test(start)) return detectArray(start);
	if (start.startsWith("{")) return detectObject(start, isWhole);
	const isBinary = hasBinary(head);
	if (!isBinary) {
		if (isWhatsapp(start)) return { name: "whatsapp", kind: "whatsapp" };
		const header = start.slice(0, start.indexOf("\n") === -1 ? undefined : start.indexOf("\n"));
		if (/[,;\t|]/.test(header) && header.length < 1 << 16) return { name: "csv", kind: "csv" };
		// A broken first record must not hide the others.
		if (/^\s*[{[]/m.test(text.slice(header.length))) return { name: "jsonl", kind: "jsonl" };
	}
	throw new LabelError(
		"format_unknown",
		`${source} is ${isBinary ? "binary" : "text"} of no format that label knows; if you know which it is, say so with --format`,
	);
}

/** Control characters that no text file has. A few NUL bytes do not count where they are broken records of a text, but no header has them. */
function hasBinary(head: Buffer): boolean {
	const sample = head.subarray(0, 8192);
	let strange = 0;
	for (const byte of sample) if (byte > 0 && (byte < 9 || (byte > 13 && byte < 32 && byte !== 27))) strange++;
	const end = sample.indexOf(10);
	const isNulFirst = sample.subarray(0, end === -1 ? undefined : end).includes(0) && sample[0] !== 0x7b && sample[0] !== 0x5b;
	const isMostlyNul = sample.filter((byte) => byte === 0).length > sample.length / 4;
	return isNulFirst || isMostlyNul || strange > sample.length / 50;
}

function detectArray(start: string): Detected {
	const element = firstElement(start);
	const json = (name: string, gathering: Gathering): Detected => ({ name, kind: "json", path: [], gathering });
	if (element === undefined) return firstLineIsArray(start) ? { name: "jsonl", kind: "jsonl" } : json("json", RECORDS);
	if (isFlatMessage(element)) return json("oasst", { kind: "linked" });
	if (isComment(element)) return json("zendesk", { kind: "comments" });
	if (isPlainMessage(element)) return firstLineIsArray(start) ? { name: "jsonl", kind: "jsonl" } : json("json", { kind: "messages" });
	return json(shapeOf(element) ?? "json", RECORDS);
}

/** A message without a session of its own: the array is one conversation. */
function isPlainMessage(element: JsonObject): boolean {
	const hasSession = ["session_id", "session_external_id", "conversation_id"].some((name) => name in element);
	return !hasSession && (("role" in element && "content" in element) || ("from" in element && "value" in element));
}

/** Lines that are arrays of messages: more than one document. */
function firstLineIsArray(start: string): boolean {
	const end = start.indexOf("\n");
	return end !== -1 && /^\s*\[/.test(start.slice(end + 1)) && parse(start.slice(0, end)) !== undefined;
}

function detectObject(start: string, isWhole: boolean): Detected {
	const keys = topLevelKeys(start);
	const end = start.indexOf("\n");
	const line = end === -1 ? start : start.slice(0, end);
	const first = parse(line);
	const isOnlyLine = end === -1 || start.slice(end).trim() === "";
	// A whole first line with more behind it is JSONL, whatever the records are; one line alone may be any document.
	if (first !== undefined && !(isOnlyLine && isWhole)) return detectLines(first);
	if (first === undefined && hasWholeLine(start.slice(line.length))) return { name: "jsonl", kind: "jsonl" };
	const document = detectDocument(keys, start);
	if (document !== undefined) return document;
	if (first !== undefined) return detectLines(first);
	// One long line that goes on beyond what was looked at is a record of JSONL, or a document, which is then the one record.
	return end === -1 ? { name: "jsonl", kind: "jsonl" } : { name: shapeOf(parse(start)) ?? "json", kind: "json", path: [], gathering: RECORDS };
}

/** Whether one of the following lines is a whole record: then a first line that is none is a broken one of JSONL, and not the beginning of a document. */
function hasWholeLine(rest: string): boolean {
	return rest.split("\n", MOST_LINES).some((line) => line.startsWith("{") && isObject(parse(line)));
}

function detectLines(first: unknown): Detected {
	if (isFlatMessage(first)) return { name: "oasst", kind: "json", path: [], gathering: { kind: "linked" } };
	return { name: shapeOf(first) ?? "jsonl", kind: "jsonl" };
}

/** Documents whose messages or conversations stand in a list somewhere below the top. */
function detectDocument(keys: ReadonlySet<string>, start: string): Detected | undefined {
	const json = (name: string, path: readonly string[], gathering: Gathering = RECORDS): Detected => ({ name, kind: "json", path, gathering });
	if (isDiscordHead(keys)) return json("discord", ["messages"], { kind: "chat", format: discordChat });
	if (isTelegramChatHead(keys, start)) return json("telegram", ["messages"], { kind: "chat", format: telegramChat });
	if (isInspectHead(keys)) return json("inspect-ai", ["samples"]);
	if (isPromptfooHead(keys, start)) return json("promptfoo", ["results", "results"]);
	if (keys.has("comments") && isComment(firstElement(start, "comments"))) return json("zendesk", ["comments"], { kind: "comments" });
	const wrapper = WRAPPERS.find((name) => keys.has(name) && !keys.has("messages") && !keys.has("turns") && isConversation(firstElement(start, name)));
	if (wrapper !== undefined) return json(shapeOf(firstElement(start, wrapper)) ?? "json", [wrapper]);
	return isTelegramExportHead(keys) ? json("telegram", ["chats", "list"]) : undefined;
}

/** Whether a list's first element is a conversation, not a message. */
function isConversation(element: JsonObject | undefined): boolean {
	return (
		element !== undefined &&
		(shapeOf(element) !== undefined || ["messages", "turns", "conversations", "conversation"].some((name) => Array.isArray(element[name])))
	);
}

function parse(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return isObject(value) || Array.isArray(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
