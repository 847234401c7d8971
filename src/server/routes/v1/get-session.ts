import { Readable } from "node:stream";
import type { SessionRecord } from "../../../services/ports.js";
import type { Sessions } from "../../../services/sessions.js";
import { toMessageBody, toSessionBody } from "../../bodies.js";
import { type Route, sessionIdOf } from "../../route.js";
import { sessionWithMessagesSchema } from "../../schemas.js";

/** Characters that are gathered before they are handed to the socket. */
const CHUNK = 65_536;

/** `GET /sessions/{id}` */
export const getSession: Route = {
	method: "GET",
	path: "/sessions/:id",
	operationId: "getSession",
	summary: "Get a session with all its messages",
	description: "Messages stand in the order of their turns.",
	responses: { 200: [{ description: "The session", schema: sessionWithMessagesSchema }] },
	errors: ["not_found"],
	handle({ sessions }, { tenant, request, reply }) {
		const session = sessions.get(tenant.id, sessionIdOf(request));
		return reply.type("application/json; charset=utf-8").send(Readable.from(toChunks(sessions, session), { objectMode: false }));
	},
};

/** The body piece by piece, so that a session of any length takes little memory. Messages that come meanwhile are left out: the count stays true. */
function* toChunks(sessions: Sessions, session: SessionRecord): Generator<string> {
	const head = JSON.stringify(toSessionBody(session));
	let chunk = `${head.slice(0, -1)},"messages":[`;
	for (const message of sessions.messages({ tenant_id: session.tenant_id, session_id: session.id })) {
		if (message.turn >= session.message_count) break;
		chunk += (message.turn > 0 ? "," : "") + JSON.stringify(toMessageBody(message));
		if (chunk.length >= CHUNK) {
			yield chunk;
			chunk = "";
		}
	}
	yield `${chunk}]}`;
}
