import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { LabelError } from "../../../errors.js";
import type { InputMessage } from "../../../readers/types.js";
import type { Appended } from "../../../services/sessions.js";
import { toAppendedBody, toInputMessage } from "../../bodies.js";
import { parse, toApiError } from "../../errors.js";
import { MAX_BODY } from "../../limits.js";
import { parseJson } from "../../parse-json.js";
import { type Line, readLines, TOO_LONG } from "../../read-lines.js";
import { NDJSON, type RouteContext, type TenantRequest } from "../../route.js";
import { messageInputSchema } from "../../schemas.js";

/** Messages of one transaction: long enough to share the wait for the disk, short enough not to hold the event loop. */
const GROUP = 100;

/** What is remembered of a line between storing it and answering: never the text, so that a client who reads the answer late costs little. */
interface Result {
	line: number;
	outcome: Appended | LabelError;
}

/**
 * Appends the lines of the body and streams their results. Reading does not wait for the client to take the answers: many clients send the whole
 * body before they read anything, and both sides would wait for ever. The answers are made from the stored turns when there is room for them.
 */
export function appendConversation(context: RouteContext, { tenant, request, reply }: TenantRequest, sessionId: number): FastifyReply {
	const { sessions, metrics } = context;
	const results: Result[] = [];
	let wake = () => {};
	let state: { done: boolean; error?: unknown } = { done: false };

	async function readAll(): Promise<void> {
		let line = 0;
		for await (const lines of readLines(request.body as AsyncIterable<Buffer>, MAX_BODY)) {
			for (let from = 0; from < lines.length; from += GROUP) {
				const group = lines.slice(from, from + GROUP);
				results.push(...(await storeLines(context, tenant.id, sessionId, group, line + 1)));
				line += group.length;
				wake();
			}
		}
	}
	readAll().then(
		() => end({ done: true }),
		(error: unknown) => end({ done: true, error }),
	);
	function end(last: typeof state): void {
		state = last;
		wake();
	}

	async function* answers(): AsyncGenerator<string> {
		for (;;) {
			for (const { line, outcome } of results.splice(0, GROUP)) {
				if (outcome instanceof LabelError) {
					const { body } = toApiError(outcome, request.id);
					yield `${JSON.stringify({ error: { ...body.error, line } })}\n`;
				} else {
					const message = sessions.message(tenant.id, sessionId, outcome.turn);
					if (!outcome.replayed) metrics.countTurn(message.label.r_level);
					yield `${JSON.stringify(toAppendedBody(message))}\n`;
				}
			}
			if (results.length > 0) continue;
			if (state.done) break;
			await new Promise<void>((resolve) => {
				wake = resolve;
			});
		}
		// A fault of the service in the middle: the client learns of it in its place, and that nothing follows.
		if (state.error !== undefined && !request.raw.destroyed) yield `${JSON.stringify(toApiError(state.error, request.id).body)}\n`;
	}
	return reply
		.status(200)
		.type(NDJSON)
		.send(Readable.from(answers(), { objectMode: false }));
}

/** Validates and stores lines that stand together, `firstLine` counted from 1. Blank lines are passed over without an answer. */
async function storeLines(
	{ sessions, commits }: RouteContext,
	tenantId: number,
	sessionId: number,
	lines: readonly Line[],
	firstLine: number,
): Promise<Result[]> {
	const results: Result[] = [];
	const inputs: InputMessage[] = [];
	const places: number[] = [];
	for (const [i, line] of lines.entries()) {
		const input = parseLine(line);
		if (input === null) continue;
		if (!(input instanceof LabelError)) {
			places.push(results.length);
			inputs.push(input);
		}
		results.push({ line: firstLine + i, outcome: input instanceof LabelError ? input : { turn: -1, replayed: false } });
	}
	if (inputs.length === 0) return results;
	const stored = await commits.run(() => sessions.appendMany(tenantId, sessionId, inputs));
	for (const [i, place] of places.entries()) (results[place] as Result).outcome = stored[i] as Appended | LabelError;
	return results;
}

function parseLine(line: Line): InputMessage | LabelError | null {
	try {
		if (line === TOO_LONG) throw new LabelError("too_large", `The line is longer than ${MAX_BODY} bytes.`);
		if (line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)) return null;
		return toInputMessage(parse(messageInputSchema, parseJson(line)));
	} catch (error) {
		if (error instanceof LabelError) return error;
		throw error;
	}
}
