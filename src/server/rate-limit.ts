/** State of one key's allowance after a request. */
export interface Allowance {
	allowed: boolean;
	limit: number;
	remaining: number;
	/** Seconds until a request is allowed again (when refused) or the allowance is full again. */
	reset: number;
}

/**
 * Token buckets, one a tenant: `perMinute` requests at once at most, refilled evenly over a minute.
 * @param clock - milliseconds, never going back
 */
export function createRateLimit(perMinute: number, clock: () => number): (tenantId: number) => Allowance {
	const buckets = new Map<number, { tokens: number; at: number }>();
	const perMs = perMinute / 60_000;
	return (tenantId) => {
		const now = clock();
		const bucket = buckets.get(tenantId) ?? { tokens: perMinute, at: now };
		bucket.tokens = Math.min(perMinute, bucket.tokens + (now - bucket.at) * perMs);
		bucket.at = now;
		buckets.set(tenantId, bucket);
		const allowed = bucket.tokens >= 1;
		if (allowed) bucket.tokens -= 1;
		const wait = allowed ? perMinute - bucket.tokens : 1 - bucket.tokens;
		return { allowed, limit: perMinute, remaining: Math.floor(bucket.tokens), reset: Math.ceil(wait / perMs / 1000) };
	};
}
