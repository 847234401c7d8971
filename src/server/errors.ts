import type { z } from "zod";
import { type ErrorCode, LabelError } from "../errors.js";
import type { API_ERROR_CODES, ERROR_TYPES, ErrorBody } from "./schemas.js";

type ApiErrorCode = (typeof API_ERROR_CODES)[number];

/** HTTP status and type of each code. */
export const API_ERRORS: Record<ApiErrorCode, { status: number; type: (typeof ERROR_TYPES)[number] }> = {
	invalid_request: { status: 400, type: "invalid_request_error" },
	unauthorized: { status: 401, type: "authentication_error" },
	not_found: { status: 404, type: "invalid_request_error" },
	method_not_allowed: { status: 405, type: "invalid_request_error" },
	conflict: { status: 409, type: "invalid_request_error" },
	too_large: { status: 413, type: "invalid_request_error" },
	unsupported_media_type: { status: 415, type: "invalid_request_error" },
	rate_limited: { status: 429, type: "rate_limit_error" },
	internal: { status: 500, type: "api_error" },
	busy: { status: 503, type: "api_error" },
};

/** One text for every 404: what exists for another tenant must not be told from what does not exist. */
const NOT_FOUND = "There is nothing here. Check the path and the id.";

export interface ApiError {
	status: number;
	body: ErrorBody;
}

/** What the client is told of an error: nothing of its own for anything unexpected. */
export function toApiError(error: unknown, requestId: string): ApiError {
	const { code, message, param } = describe(error);
	const { status, type } = API_ERRORS[code];
	return { status, body: { error: { type, code, message, param, request_id: requestId } } };
}

/** Whether an error is the service's fault and belongs in the log. */
export function isFault(error: ApiError): boolean {
	return error.body.error.code === "internal";
}

function describe(error: unknown): { code: ApiErrorCode; message: string; param: string | null } {
	if (error instanceof LabelError) {
		if (error.code === "database_busy") return { code: "busy", message: "The database is busy. Try again in a moment.", param: null };
		if (error.code === "not_found") return { code: "not_found", message: NOT_FOUND, param: null };
		if (isApiErrorCode(error.code)) return { code: error.code, message: error.message, param: error.param ?? null };
	}
	return fromFastify(error) ?? { code: "internal", message: "Something went wrong in the service. The request id finds it in the log.", param: null };
}

function isApiErrorCode(code: ErrorCode): code is ErrorCode & ApiErrorCode {
	return code in API_ERRORS && code !== "internal";
}

/** Fastify's own errors by their code; its messages may quote the request, so none of them is passed on. */
function fromFastify(error: unknown): { code: ApiErrorCode; message: string; param: null } | null {
	const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
	if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return { code: "too_large", message: "The body is too large.", param: null };
	if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE")
		return { code: "unsupported_media_type", message: "Send the body as application/json (or a conversation as application/x-ndjson).", param: null };
	if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500)
		return { code: "invalid_request", message: "The request can not be read.", param: null };
	return null;
}

/**
 * Validates unknown input.
 * @throws LabelError `invalid_request` naming the first field at fault, `too_large` when it is only too long a content; never with the value
 */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const [issue] = result.error.issues as [z.core.$ZodIssue];
	const param = issue.path.join(".");
	const code = issue.code === "too_big" && param === "content" ? "too_large" : "invalid_request";
	throw new LabelError(code, param === "" ? `The body: ${issue.message}` : `${param}: ${issue.message}`, param === "" ? {} : { param });
}
