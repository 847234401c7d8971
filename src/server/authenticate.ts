import type { FastifyReply, FastifyRequest } from "fastify";
import { LabelError } from "../errors.js";
import type { TenantRecord } from "../services/ports.js";
import type { Tenants } from "../services/tenants.js";
import type { Allowance } from "./rate-limit.js";

const BEARER = /^bearer +([^ ]+) *$/i;

/**
 * The tenant whose key the request carries; sets the headers of a refusal, and those of the rate limit.
 * @throws LabelError `unauthorized`, `rate_limited`
 */
export function authenticate(
	request: FastifyRequest,
	reply: FastifyReply,
	parts: { tenants: Tenants; rateLimit: ((tenantId: number) => Allowance) | null },
): TenantRecord {
	const key = BEARER.exec(request.headers.authorization ?? "")?.[1];
	const tenant = key === undefined ? null : parts.tenants.authenticate(key);
	if (tenant === null) {
		reply.header("WWW-Authenticate", "Bearer");
		throw new LabelError("unauthorized", key === undefined ? "Send the header Authorization: Bearer <API key>." : "The API key is wrong.");
	}
	const allowance = parts.rateLimit?.(tenant.id);
	if (allowance !== undefined) {
		reply.header("RateLimit-Limit", allowance.limit).header("RateLimit-Remaining", allowance.remaining).header("RateLimit-Reset", allowance.reset);
		if (!allowance.allowed) {
			reply.header("Retry-After", allowance.reset);
			throw new LabelError("rate_limited", `This key may send ${allowance.limit} requests a minute. Try again in ${allowance.reset} s.`);
		}
	}
	return tenant;
}
