import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { TenantRecord } from "../services/ports.js";
import type { Sessions } from "../services/sessions.js";
import type { GroupCommit } from "./group-commit.js";
import type { Metrics } from "./metrics.js";

/** What the handlers of routes work with. */
export interface RouteContext {
	sessions: Sessions;
	commits: GroupCommit;
	metrics: Metrics;
}

/** A request whose key was checked. */
export interface TenantRequest {
	tenant: TenantRecord;
	request: FastifyRequest;
	reply: FastifyReply;
}

export interface RouteResponse {
	description: string;
	schema: z.ZodType;
	/** Default `application/json`. */
	mediaType?: string;
}

/** One route under `/api/v1`, as it is served and as it is documented: both are made from this. */
export interface Route {
	method: "GET" | "POST";
	/** Below `/api/v1`; `:id` stands for a session's id. */
	path: string;
	operationId: string;
	summary: string;
	description: string;
	query?: z.ZodObject;
	/** The JSON body. */
	body?: z.ZodType;
	/** A line of an `application/x-ndjson` body, where the route takes one. */
	line?: z.ZodType;
	responses: Record<number, RouteResponse[]>;
	/** Codes of errors beside those of every route. */
	errors: ("conflict" | "too_large" | "not_found" | "unsupported_media_type")[];
	/** Answers with a status and a body, or sends the reply itself (a stream). */
	handle(context: RouteContext, request: TenantRequest): Promise<unknown> | unknown;
}

/** Names the header that tells a replay of an idempotent request. */
export const REPLAY_HEADER = "Idempotent-Replayed";

/** Media type of a conversation, a message a line. */
export const NDJSON = "application/x-ndjson";

/** Whether the body is a conversation, a message a line. */
export function isNdjson(request: FastifyRequest): boolean {
	return request.headers["content-type"]?.toLowerCase().startsWith(NDJSON) ?? false;
}

/** The session id in the path; NaN, which no session has, for anything that is no plain positive integer. */
export function sessionIdOf(request: FastifyRequest): number {
	const { id } = request.params as { id: string };
	return /^[1-9]\d{0,15}$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : Number.NaN;
}
