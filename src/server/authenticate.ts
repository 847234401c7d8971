import type { FastifyReply, FastifyRequest } from "fastify";
import { LabelError } from "../errors.js";
import type { TenantRecord } from "../services/ports.js";
import type { Tenants } from "../services/tenants.js";
import type { Allowance } from "./rate-limit.js";

const BEARER = /^bearer +([^ ]+) *$/i;

/**
 * Looks keys up once in a turn of the event loop: requests that arrive together mostly carry the same key, and a read outside a transaction costs as much as the
 * append itself. Nothing is remembered beyond the turn, so a rotated key is void at once, whichever process rotated it.
 */
export function createKeyLookup(tenants: Tenants): (key: string) => TenantRecord | null {
	const found = new Map<string, TenantRecord | null>();
	return (key) => {
		let tenant = found.get(key);
		if (tenant === undefined) {
			if (found.size === 0) setImmediate(() => found.clear());
			tenant = tenants.authenticate(key);
			found.set(key, tenant);
		}
		return tenant;
	};
}

/** What authentication needs. */
export interface Gate {
	tenantOf: (key: string) => TenantRecord | null;
	rateLimit: ((tenantId: number) => Allowance) | null;
}

/**
 * The tenant whose key the request carries; sets the headers of a refusal, and those of the rate limit.
 * @throws LabelError `unauthorized`, `rate_limited`
 */
export function authenticate(request: FastifyRequest, reply: FastifyReply, gate: Gate): TenantRecord {
	const key = BEARER.exec(request.headers.authorization ?? "")?.[1];
	const tenant = key === undefined ? null : gate.tenantOf(key);
	if (tenant === null) {
		reply.header("WWW-Authenticate", "Bearer");
		throw new LabelError("unauthorized", key === undefined ? "Send the header Authorization: Bearer <API key>." : "The API key is wrong.");
	}
	const allowance = gate.rateLimit?.(tenant.id);
	if (allowance !== undefined) {
		reply.header("RateLimit-Limit", allowance.limit).header("RateLimit-Remaining", allowance.remaining).header("RateLimit-Reset", allowance.reset);
		if (!allowance.allowed) {
			reply.header("Retry-After", allowance.reset);
			throw new LabelError("rate_limited", `This key may send ${allowance.limit} requests a minute. Try again in ${allowance.reset} s.`);
		}
	}
	return tenant;
}
