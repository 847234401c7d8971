import type { InputMessage } from "../../../readers/types.js";
import { toAppendedBody, toInputMessage } from "../../bodies.js";
import { parse } from "../../errors.js";
import { isNdjson, NDJSON, REPLAY_HEADER, type Route, sessionIdOf } from "../../route.js";
import { appendedSchema, errorSchema, messageInputSchema } from "../../schemas.js";
import { appendConversation } from "./append-conversation.js";

/** `POST /sessions/{id}/messages`: one message as JSON, or a conversation as NDJSON. */
export const appendMessage: Route = {
	method: "POST",
	path: "/sessions/:id/messages",
	operationId: "appendMessage",
	summary: "Append a message, or a whole conversation",
	description: `The message is scored on top of its session. The answer is sent after the turn is durable on disk. Idempotent on external_id within the session: the same role and content again give the stored result back with status 200 and the header ${REPLAY_HEADER}; another role or content is a conflict.

With Content-Type ${NDJSON}, a message a line: the answer is ${NDJSON} too, a result a line in the same order, streamed; a bad line answers with an error line and the rest goes on.`,
	body: messageInputSchema,
	line: messageInputSchema,
	responses: {
		201: [{ description: "The message with its label", schema: appendedSchema }],
		200: [
			{ description: "The message that was stored before under this external_id", schema: appendedSchema },
			{ description: "A result or an error a line", schema: appendedSchema.or(errorSchema), mediaType: NDJSON },
		],
	},
	errors: ["not_found", "conflict", "too_large", "unsupported_media_type"],
	async handle(context, received) {
		const { sessions, commits, metrics } = context;
		const { tenant, request, reply } = received;
		const id = sessionIdOf(request);
		if (isNdjson(request)) {
			sessions.get(tenant.id, id);
			return appendConversation(context, received, id);
		}
		const input = parseFor(request.body, () => sessions.get(tenant.id, id));
		const { message, replayed } = await commits.run(() => sessions.append(tenant.id, id, input));
		if (replayed) reply.header(REPLAY_HEADER, "true");
		else metrics.countTurn(message.label.r_level);
		return reply.status(replayed ? 200 : 201).send(toAppendedBody(message));
	},
};

/** Validates the body; when it is at fault, an unknown session is told first: the answer to a stranger must not depend on what he sends. */
function parseFor(body: unknown, checkSession: () => unknown): InputMessage {
	try {
		return toInputMessage(parse(messageInputSchema, body));
	} catch (error) {
		checkSession();
		throw error;
	}
}
