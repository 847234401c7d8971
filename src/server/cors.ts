import type { FastifyReply, FastifyRequest } from "fastify";
import { REPLAY_HEADER } from "./route.js";

const EXPOSED = ["X-Request-Id", REPLAY_HEADER, "Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"].join(", ");

/**
 * Lets pages of the given origins read answers. Sets the headers; true when the request was a preflight and is answered now.
 * @param origins - exact origins, or `*` for any: the key is in a header that no browser sends by itself, so a foreign page gains nothing by it
 */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, origins: readonly string[]): boolean {
	const { origin } = request.headers;
	if (origins.length === 0) return false;
	reply.header("Vary", "Origin");
	if (origin === undefined || !(origins.includes("*") || origins.includes(origin))) return false;
	reply.header("Access-Control-Allow-Origin", origins.includes("*") ? "*" : origin).header("Access-Control-Expose-Headers", EXPOSED);
	if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined) return false;
	reply
		.header("Access-Control-Allow-Methods", "GET, POST")
		.header("Access-Control-Allow-Headers", "Authorization, Content-Type")
		.header("Access-Control-Max-Age", "600");
	return true;
}
