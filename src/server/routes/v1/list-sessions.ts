import { toSessionBody } from "../../bodies.js";
import { parse } from "../../errors.js";
import type { Route } from "../../route.js";
import { listQuerySchema, sessionListSchema } from "../../schemas.js";

/** `GET /sessions` */
export const listSessions: Route = {
	method: "GET",
	path: "/sessions",
	operationId: "listSessions",
	summary: "List sessions",
	description: "The most recently active first; ties by id, the highest first.",
	query: listQuerySchema,
	responses: { 200: [{ description: "A page of sessions", schema: sessionListSchema }] },
	errors: [],
	handle({ sessions }, { tenant, request, reply }) {
		const { data, has_more, next_cursor } = sessions.list(tenant.id, parse(listQuerySchema, request.query));
		return reply.send({ data: data.map(toSessionBody), has_more, next_cursor });
	},
};
