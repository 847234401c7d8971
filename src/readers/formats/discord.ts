import type { Block } from "../blocks.js";
import { type ChatFormat, readChatRecord } from "../chat-document.js";
import { type AuthoredMessage, ChatSplitter } from "../chat-splitter.js";
import { toReject } from "../collector.js";
import { isObject, toId } from "../message.js";
import type { Place, ReadOptions } from "../options.js";
import { RecordError } from "../record-error.js";
import type { RecordShape } from "../record-shapes.js";
import { toTime } from "../time.js";
import { type CsvHeader, readRows } from "./csv.js";
import type { DocumentRecord } from "./json.js";

/** Types of messages that people write; the others tell of joins, pins and calls (DiscordChatExporter, MessageKind.cs). */
const SAID = new Set(["Default", "Reply", "0", "19"]);

/** DiscordChatExporter's JSON. */
export const discordChat: ChatFormat = {
	chatName({ channel, guild }) {
		if (!isObject(channel)) return null;
		const name = toId(channel.name) ?? toId(channel.id);
		const place = isObject(guild) ? toId(guild.name) : null;
		return place === null || name === null ? name : `${place}/${name}`;
	},
	toAuthored(message) {
		const { id, type, timestamp, content, author, attachments, embeds, stickers } = message;
		if (!SAID.has(String(type ?? "Default"))) return null;
		if (!isObject(author)) throw new RecordError("invalid_record", "the message has no author");
		const name = toId(author.name) ?? toId(author.id);
		if (name === null) throw new RecordError("invalid_record", "the author has no name");
		const rest = isFilled(attachments) ? "[attachment]" : isFilled(stickers) ? "[sticker]" : isFilled(embeds) ? "[embed]" : "";
		const text = typeof content === "string" && content.trim() !== "" ? content : rest;
		if (text === "") return null;
		return { author: name, isBot: author.isBot === true, content: text, external_id: toId(id), created_at: toTime(timestamp) };
	},
};

function isFilled(list: unknown): boolean {
	return Array.isArray(list) && list.length > 0;
}

/** A DiscordChatExporter document that stands as one record. */
export const discordShape: RecordShape = {
	is: (record) => isObject(record.channel) && Array.isArray(record.messages),
	read: (record, place, options) => readChatRecord(discordChat, record, place, options),
};

/** Rows of DiscordChatExporter's CSV: AuthorID,Author,Date,Content,Attachments,Reactions. It says nothing of channel and bots. */
export async function* readDiscordRows(blocks: AsyncIterable<Block>, csv: CsvHeader, options: ReadOptions): AsyncGenerator<DocumentRecord> {
	const splitter = new ChatSplitter(options.name ?? "chat", options);
	for await (const { bytes, skipped, ...at } of blocks) {
		const records: DocumentRecord[] = [];
		const failed = (error: unknown, place: Place, raw: string): void => void records.push(toReject(error, place, raw));
		if (skipped) failed(new RecordError("line_too_long", "the row is longer than 64 MiB"), { line: at.firstLine, record: at.firstRecord }, "");
		else {
			const row = (cells: string[], place: Place): void => {
				const said = toAuthoredRow(cells);
				if (said !== null) records.push(...splitter.add(said, place));
			};
			readRows(bytes, at, csv, { row, failed });
		}
		yield* records;
	}
	yield* splitter.finish();
}

/** @throws RecordError */
function toAuthoredRow([id, author, date, content, attachments]: readonly string[]): AuthoredMessage | null {
	const text = content?.trim() ? content : attachments ? "[attachment]" : "";
	if (text === "") return null;
	const name = author || id;
	if (!name) throw new RecordError("invalid_record", "the row has no author");
	return { author: name, isBot: false, content: text, external_id: null, created_at: toTime(date) };
}

/** Whether the head of a JSON document is that of a DiscordChatExporter file. */
export function isDiscordHead(keys: ReadonlySet<string>): boolean {
	return keys.has("channel") && (keys.has("guild") || keys.has("dateRange"));
}
