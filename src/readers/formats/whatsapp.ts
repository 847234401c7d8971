import { ChatSplitter } from "../chat-splitter.js";
import { toReject } from "../collector.js";
import { linesOf } from "../lines.js";
import type { Place, ReadOptions } from "../options.js";
import { RecordError } from "../record-error.js";
import type { DocumentRecord } from "./json.js";

/**
 * The beginning of a message, in the date styles of the apps: `[15-01-20 02:22:56] Name: text` (iOS), `06/03/2017, 00:45 - Name: text` and
 * `15.04.2016, 15:04 - Name: text` (Android), with or without seconds and a.m./p.m. (after Pustur/whatsapp-chat-parser, src/parser.ts).
 */
const START =
	/^[\u200e\u200f\ufeff]*\[?(\d{1,4})[-/.]\s?(\d{1,2})[-/.]\s?(\d{1,4})\.?[,.]?\s+(?:at\s+)?(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:[\s\u202f]*([ap])\.?[\s\u202f]?m\.?)?\]?(?:\s-\s|\s?-\s|:\s|\s)[\u200e\u200f]*(.*)$/iu;
/** Name and text; a line without them is a notice of the app. */
const SAID = /^([^:]{1,80}):\s([\s\S]*)$|^([^:]{1,80}):$/u;
const ATTACHED = /[\u200e\u200f]*<(?:attached|adjunto|anexo|angehängt): [^<>]*>|^[\u200e\u200f]*<[^<>]{3,40}>$/giu;
/** Notices that the app writes under the group's own name. */
const NOTICE = /end-to-end encrypt|Ende-zu-Ende|cifrad[oa]s? de extremo/i;

type DateOrder = "dmy" | "mdy" | "ymd";

interface Started {
	place: Place;
	date: [number, number, number];
	time: [number, number, number];
	author: string;
	content: string;
}

/** Whether a text begins as a WhatsApp chat does: two of its first lines begin a message, or all there are. */
export function isWhatsapp(text: string): boolean {
	const lines = text.split("\n", 20).filter((line) => line.trim() !== "");
	const starts = lines.filter((line) => START.test(line.trimEnd())).length;
	return START.test(lines[0]?.trimEnd() ?? "") && starts >= Math.min(2, lines.length);
}

/** Reads a WhatsApp `_chat.txt`. Whether days or months come first is told from the numbers of the head; where both fit, days do. Times have no zone: they are taken as UTC. */
export async function* readWhatsapp(bytes: AsyncIterable<Buffer>, headText: string, options: ReadOptions): AsyncGenerator<DocumentRecord> {
	const order = dateOrder(headText);
	const splitter = new ChatSplitter(options.name ?? "chat", options);
	let held: Started | undefined;
	let record = 0;
	for await (const { text, line, error } of linesOf(bytes)) {
		if (error !== undefined) {
			yield toReject(error, { line, record: ++record }, text);
			continue;
		}
		const start = START.exec(text);
		if (start === null) {
			if (held !== undefined) held.content += `\n${text}`;
			else if (text.trim() !== "")
				yield toReject(new RecordError("invalid_record", "the line stands before the first message"), { line, record: ++record }, text);
			continue;
		}
		if (held !== undefined) yield* pass(splitter, held, order);
		held = toStarted(start, { line, record: record + 1 });
		if (held !== undefined) record++;
	}
	if (held !== undefined) yield* pass(splitter, held, order);
	yield* splitter.finish();
}

/** The message that a line begins; undefined for a notice of the app. */
function toStarted(start: RegExpExecArray, place: Place): Started | undefined {
	const [, first, second, third, hour, minute, seconds, half, rest] = start;
	const said = SAID.exec(rest as string);
	const author = (said?.[1] ?? said?.[3])?.replace(/[\u200e\u200f\u202a-\u202e]/g, "").trim();
	if (author === undefined || author === "" || NOTICE.test(rest as string)) return undefined;
	const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
	return { place, date: [Number(first), Number(second), Number(third)], time: [hours, Number(minute), Number(seconds ?? 0)], author, content: said?.[2] ?? "" };
}

function* pass(splitter: ChatSplitter, { place, date, time, author, content }: Started, order: DateOrder): Generator<DocumentRecord> {
	const text = content
		.replace(ATTACHED, "[attachment]")
		.replace(/[\u200e\u200f]/g, "")
		.trim();
	if (text === "") return;
	yield* splitter.add({ author, isBot: false, content: text, external_id: null, created_at: toUtc(date, time, order) }, place);
}

function dateOrder(head: string): DateOrder {
	const dates = head
		.split("\n")
		.map((line) => START.exec(line.trimEnd()))
		.filter((found) => found !== null);
	if (dates.some(([, first]) => (first as string).length === 4)) return "ymd";
	return dates.some(([, , second]) => Number(second) > 12) && !dates.some(([, first]) => Number(first) > 12) ? "mdy" : "dmy";
}

/** Null where the numbers make no date. */
function toUtc([first, second, third]: [number, number, number], [hour, minute, seconds]: [number, number, number], order: DateOrder): number | null {
	const [day, month, year] = order === "ymd" ? [third, second, first] : order === "mdy" ? [second, first, third] : [first, second, third];
	if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || seconds > 59) return null;
	return Date.UTC(year < 100 ? 2000 + year : year, month - 1, day, hour, minute, seconds);
}
