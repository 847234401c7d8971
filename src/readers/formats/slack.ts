import { posix } from "node:path";
import type { Archive } from "../archive.js";
import { toPlainBytes } from "../bytes.js";
import { type AuthoredMessage, ChatSplitter } from "../chat-splitter.js";
import { isObject, type JsonObject, toId } from "../message.js";
import type { ReadOptions } from "../options.js";
import { decodeEntities } from "../plain-text.js";
import { RecordError } from "../record-error.js";
import { toTime } from "../time.js";
import { type DocumentRecord, readJson } from "./json.js";

/** Subtypes that people or bots say something in; the others tell of joins, topics and pins. */
const SAID = new Set([undefined, "bot_message", "me_message", "thread_broadcast", "file_share", "file_comment"]);

/** Users of a workspace by id. */
export interface SlackUsers {
	name(id: string): string;
	isBot(id: string): boolean;
}

/** @param users elements of `users.json` */
export function createSlackUsers(users: readonly unknown[]): SlackUsers {
	const known = new Map(users.filter(isObject).map((user) => [toId(user.id) ?? "", user]));
	return {
		name: (id) => toId(known.get(id)?.name) ?? id,
		isBot: (id) => known.get(id)?.is_bot === true || id === "USLACKBOT",
	};
}

/** A message of a day's file; null for a notice. @throws RecordError */
export function toSlackMessage(value: unknown, users: SlackUsers): AuthoredMessage | null {
	if (!isObject(value)) throw new RecordError("invalid_record", "a message must be an object");
	if (value.type !== "message" || !SAID.has(value.subtype as string | undefined)) return null;
	const user = toId(value.user) ?? (isObject(value.comment) ? toId(value.comment.user) : null);
	const bot = toId(value.username) ?? toId(value.bot_id);
	const author = user === null ? bot : users.name(user);
	if (author === null) throw new RecordError("invalid_record", "the message has no user");
	const said = typeof value.text === "string" ? toPlainText(value.text, users) : "";
	const content = said.trim() === "" ? noteOf(value) : said;
	if (content === "") return null;
	const isBot = value.bot_id !== undefined || value.subtype === "bot_message" || (user !== null && users.isBot(user));
	// In Slack the time is the message's name within its channel.
	return {
		author,
		isBot,
		content,
		external_id: toId(value.client_msg_id) ?? toId(value.ts),
		created_at: toTime(typeof value.ts === "string" ? Number(value.ts) : value.ts),
	};
}

function noteOf({ files, attachments }: JsonObject): string {
	return [files, attachments].some((list) => Array.isArray(list) && list.length > 0) ? "[attachment]" : "";
}

/** Slack's marks as people see them: `<@U1>` is @name, `<url|label>` the label. */
function toPlainText(text: string, users: SlackUsers): string {
	const shown = text.replace(/<([^<>|]{1,2000})(?:\|([^<>]{0,2000}))?>/g, (_whole, target: string, label?: string) => {
		if (target.startsWith("@")) return `@${label || users.name(target.slice(1))}`;
		if (target.startsWith("#")) return `#${label || target.slice(1)}`;
		if (target.startsWith("!")) return label || `@${target.slice(1).split("^")[0]}`;
		return label || target;
	});
	return decodeEntities(shown);
}

const DAY = /\/\d{4}-\d\d-\d\d\.json$/;

/** A Slack export has a list of users beside folders of days. */
export function isSlackExport(names: readonly string[]): boolean {
	return names.some((name) => posix.basename(name) === "users.json") && names.some((name) => DAY.test(name));
}

/** Channels and talks of a Slack export, day by day; each folder is a chat of its own. @throws LabelError `archive_unreadable` */
export async function* readSlackExport(archive: Archive, options: ReadOptions): AsyncGenerator<DocumentRecord> {
	const users = createSlackUsers(await readUsers(archive));
	const days = archive.names.filter((name) => DAY.test(name));
	for (const folder of new Set(days.map((name) => posix.dirname(name)))) {
		const splitter = new ChatSplitter(posix.basename(folder), options);
		const add = (value: unknown, place: { line: number; record: number }): DocumentRecord[] => {
			const said = toSlackMessage(value, users);
			return said === null ? [] : splitter.add(said, place);
		};
		for (const day of days) {
			if (posix.dirname(day) === folder) yield* readJson(toPlainBytes(archive.bytes(day), day), [], { kind: "elements", add, finish: () => [] }, options);
		}
		yield* splitter.finish();
	}
}

/** The elements of `users.json`. */
async function readUsers(archive: Archive): Promise<unknown[]> {
	const users: unknown[] = [];
	const name = archive.names.find((each) => posix.basename(each) === "users.json") as string;
	const add = (user: unknown): DocumentRecord[] => {
		users.push(user);
		return [];
	};
	for await (const _ of readJson(archive.bytes(name), [], { kind: "elements", add, finish: () => [] }, {}));
	return users;
}
