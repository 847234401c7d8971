import { toSessionBody } from "../../bodies.js";
import { parse } from "../../errors.js";
import { REPLAY_HEADER, type Route } from "../../route.js";
import { sessionInputSchema, sessionSchema } from "../../schemas.js";

/** `POST /sessions` */
export const createSession: Route = {
	method: "POST",
	path: "/sessions",
	operationId: "createSession",
	summary: "Create a session",
	description: `Idempotent on external_id: the stored session comes back unchanged, with status 200 and the header ${REPLAY_HEADER}, whatever else the body says.`,
	body: sessionInputSchema,
	responses: {
		201: [{ description: "The new session", schema: sessionSchema }],
		200: [{ description: "The session that was there already", schema: sessionSchema }],
	},
	errors: ["too_large", "unsupported_media_type"],
	async handle({ sessions, commits }, { tenant, request, reply }) {
		const input = parse(sessionInputSchema, request.body);
		const { session, created } = await commits.run(() =>
			sessions.create(tenant.id, { external_id: input.external_id ?? undefined, end_user_external_id: input.end_user_external_id, title: input.title }),
		);
		if (!created) reply.header(REPLAY_HEADER, "true");
		return reply.status(created ? 201 : 200).send(toSessionBody(session));
	},
};
