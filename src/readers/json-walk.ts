import { JsonCursor, type RawValue } from "./json-cursor.js";
import { isObject, type JsonObject } from "./message.js";

/** Longest value beside the path that is kept as part of the head: names and ids, not contents. */
const MOST_HEAD_BYTES = 1 << 20;

/** What a walk meets: an element of the array it was sent to, or the point where the document breaks off. */
export type Step = { kind: "element"; value: RawValue } | { kind: "broken"; line: number };

/**
 * Walks to the array at `path` (keys from the top; none: the document itself) and yields its elements one by one, however long it is. What
 * stands beside the path is collected in `head` as it goes by. Where the document is no array there, the value itself is the one element.
 * Several documents one after the other are walked one by one.
 */
export async function* walkJson(bytes: AsyncIterable<Buffer>, path: readonly string[], head: Record<string, unknown>): AsyncGenerator<Step> {
	const cursor = new JsonCursor(bytes);
	try {
		while ((await cursor.peek()) !== -1) {
			const before = cursor.position;
			for await (const step of walkValue(cursor, path, head)) {
				yield step;
				if (step.kind === "broken" || !step.value.isWhole) return;
			}
			if (cursor.position === before) {
				yield { kind: "broken", line: cursor.currentLine };
				return;
			}
		}
	} finally {
		await cursor.close();
	}
}

async function* walkValue(cursor: JsonCursor, path: readonly string[], head: Record<string, unknown>): AsyncGenerator<Step> {
	const [key, ...rest] = path;
	if (key !== undefined) yield* walkObject(cursor, key, rest, head);
	else if (await cursor.take("[")) yield* walkArray(cursor);
	else yield { kind: "element", value: await cursor.value() };
}

async function* walkArray(cursor: JsonCursor): AsyncGenerator<Step> {
	if (await cursor.take("]")) return;
	for (;;) {
		const value = await cursor.value();
		yield { kind: "element", value };
		if (await cursor.take(",")) continue;
		if (!(await cursor.take("]"))) yield { kind: "broken", line: cursor.currentLine };
		return;
	}
}

async function* walkObject(cursor: JsonCursor, key: string, rest: readonly string[], head: Record<string, unknown>): AsyncGenerator<Step> {
	if (!(await cursor.take("{"))) {
		// Not what the path expects (null, a number): passed over.
		await cursor.value();
		return;
	}
	if (await cursor.take("}")) return;
	for (;;) {
		const name = parseSmall(await cursor.value());
		if (typeof name !== "string" || !(await cursor.take(":"))) return yield { kind: "broken", line: cursor.currentLine };
		if (name === key) yield* walkValue(cursor, rest, head);
		else {
			const value = parseSmall(await cursor.value());
			if (value !== undefined) head[name] = value;
		}
		if (await cursor.take(",")) continue;
		if (!(await cursor.take("}"))) yield { kind: "broken", line: cursor.currentLine };
		return;
	}
}

/** The value if it is short and JSON; undefined otherwise. */
function parseSmall({ bytes }: RawValue): unknown {
	if (bytes === null || bytes.length > MOST_HEAD_BYTES) return undefined;
	try {
		return JSON.parse(bytes.toString("utf8"));
	} catch {
		return undefined;
	}
}

/** The keys of the object that a text begins with, as far as the text goes; none when it begins with something else. */
export function topLevelKeys(text: string): Set<string> {
	const keys = new Set<string>();
	let depth = 0;
	let string: number | undefined;
	for (let at = 0; at < text.length; at++) {
		const char = text[at];
		if (string !== undefined) {
			if (char === "\\") at++;
			else if (char === '"') {
				if (depth === 1 && /^\s*:/.test(text.slice(at + 1, at + 40))) keys.add(text.slice(string, at));
				string = undefined;
			}
		} else if (char === '"') string = at + 1;
		else if (char === "{" || char === "[") {
			if (depth++ === 0 && char === "[") return keys;
		} else if ((char === "}" || char === "]") && --depth === 0) return keys;
	}
	return keys;
}

/** The first element of the array that a text begins with, or of the array under `key`; undefined when it is not whole in the text. */
export function firstElement(text: string, key?: string): JsonObject | undefined {
	const start =
		key === undefined
			? text.indexOf("[") + 1
			: (new RegExp(`"${key}"\\s*:\\s*\\[`).exec(text)?.[0].length ?? 0) + Math.max(0, text.search(new RegExp(`"${key}"\\s*:\\s*\\[`)));
	if (start === 0) return undefined;
	let depth = 0;
	let isString = false;
	for (let at = start; at < text.length; at++) {
		const char = text[at];
		if (isString) {
			if (char === "\\") at++;
			else if (char === '"') isString = false;
		} else if (char === '"') isString = true;
		else if (char === "{" || char === "[") depth++;
		else if ((char === "}" || char === "]") && --depth <= 0) return parseObject(text.slice(start, at + 1));
	}
	return undefined;
}

function parseObject(text: string): JsonObject | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
