import { fromMessages } from "../chat.js";
import { isObject, type JsonObject, pick, toId, toMessage } from "../message.js";
import type { Place, ReadOptions } from "../options.js";
import { RecordError } from "../record-error.js";
import type { RecordShape } from "../record-shapes.js";
import type { InputConversation, InputMessage } from "../types.js";

/** A tree may spread into this many turns for each of its messages: real ones stay below 10, a hostile one would fill the memory. */
const MOST_SPREAD = 50;

interface Node {
	message: InputMessage;
	replies: Node[];
}

/** An Open Assistant tree (`prompt` with `replies`). Every way from the prompt to a last reply is a conversation, named after that reply. */
export const oasstShape: RecordShape = {
	is: (record) => isObject(record.prompt) && Array.isArray(record.prompt.replies),
	read(record, place, options) {
		const root = record.prompt as JsonObject;
		return toWays(toNode(root, options), { tree: toId(record.message_tree_id) ?? toId(root.message_id) }, place, options);
	},
};

/** @throws RecordError `invalid_record`, `unknown_role` */
function toNode(message: JsonObject, options: ReadOptions): Node {
	const top: Node = { message: toMessage(message, options, ID_NAMES), replies: [] };
	// No recursion: a tree may be as deep as its file is long.
	const waiting: [JsonObject, Node][] = [[message, top]];
	for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
		const [raw, node] = next;
		for (const reply of Array.isArray(raw.replies) ? raw.replies.filter(isObject) : []) {
			const child = { message: toMessage(reply, options, ID_NAMES), replies: [] };
			node.replies.push(child);
			waiting.push([reply, child]);
		}
	}
	return top;
}

const ID_NAMES = ["message_id", "user_message_id", "id"] as const;

/** @throws RecordError `invalid_record` for a tree that spreads too far */
function toWays(root: Node, { tree }: { tree: string | null }, place: Place, options: ReadOptions): InputConversation[] {
	const ways: InputConversation[] = [];
	const waiting: { node: Node; way: InputMessage[] }[] = [{ node: root, way: [root.message] }];
	let nodes = 0;
	let turns = 0;
	for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
		const { node, way } = next;
		nodes++;
		if (node.replies.length === 0) {
			turns += way.length;
			const last = node.message.external_id ?? String(ways.length + 1);
			const name = tree === null ? {} : { external_id: `${tree}/${last}` };
			ways.push({ ...fromMessages(name, way, place, options), part: last, records: ways.length === 0 ? 1 : 0 });
		}
		// A single reply goes on in the same list; only where the tree forks is the way so far copied.
		for (const [at, reply] of [...node.replies.entries()].reverse()) {
			const own = at === 0 && node.replies.length === 1 ? way : [...way];
			if (node.replies.length > 1) turns += way.length;
			own.push(reply.message);
			waiting.push({ node: reply, way: own });
		}
		if (turns > 10_000 + MOST_SPREAD * nodes) throw new RecordError("invalid_record", "the tree spreads into too many conversations");
	}
	return ways;
}

/** Whether a record is one message of a flat Open Assistant file, linked to the others by its parent's id. */
export function isFlatMessage(value: unknown): value is JsonObject {
	if (!isObject(value) || typeof value.text !== "string") return false;
	return ("parent_message_id" in value && "user_message_id" in value) || ("parent_id" in value && "message_id" in value && "message_tree_id" in value);
}

/** One message of a flat file, read. */
export interface FlatMessage {
	id: string;
	parent: string | null;
	message: InputMessage;
	place: Place;
}

/** @throws RecordError `invalid_record`, `unknown_role` */
export function toFlatMessage(record: JsonObject, place: Place, options: ReadOptions): FlatMessage {
	const id = toId(pick(record, ID_NAMES));
	if (id === null) throw new RecordError("invalid_record", "the message has no id");
	return { id, parent: toId(record.parent_message_id ?? record.parent_id), message: toMessage(record, options, ID_NAMES), place };
}

/** Conversations of flat messages. A message whose parent is not in the file begins a tree. A tree's first conversation counts all its records. */
export function linkFlatMessages(messages: readonly FlatMessage[], options: ReadOptions): InputConversation[] {
	const nodes = new Map(messages.map(({ id, parent, message, place }) => [id, { node: { message, replies: [] } as Node, parent, place }]));
	const roots = [...nodes].filter(([id, { node, parent }]) => {
		const above = parent === null || parent === id ? undefined : nodes.get(parent);
		above?.node.replies.push(node);
		return above === undefined;
	});
	return roots.flatMap(([id, { node, place }]) => {
		const ways = toWays(node, { tree: id }, place, options);
		const members = countNodes(node);
		return ways.map((way, at) => ({ ...way, records: at === 0 ? members : 0 }));
	});
}

function countNodes(root: Node): number {
	let count = 0;
	const waiting = [root];
	for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
		count++;
		for (const reply of node.replies) waiting.push(reply);
	}
	return count;
}
