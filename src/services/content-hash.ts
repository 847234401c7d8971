import type { Role } from "../types.js";

/** A surrogate that has lost its partner; with the `u` flag whole pairs are one character and don't match. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * The text as a database and a network can carry it: each unpaired surrogate becomes U+FFFD. The length in UTF-16 units stays, so offsets hold.
 * It is done before scoring, so that what was scored is what is stored.
 */
export function toStorableText(text: string): string {
	return text.replace(LONE_SURROGATE, "\ufffd");
}

/**
 * 53-bit hash of a message's role and content: cyrb53 (public domain, bryc, github.com/bryc/code), with the role in the seed. Two different
 * messages have the same hash with probability 2^-53; nobody gains by forging one, for a collision only keeps their own message from being stored.
 * @returns an integer in [0, 2^53), exact in a double and in SQLite's INTEGER.
 */
export function contentHash(role: Role, content: string): number {
	let high = 0xdeadbeef ^ role.charCodeAt(0);
	let low = 0x41c6ce57 ^ role.charCodeAt(0);
	for (let i = 0; i < content.length; i++) {
		const unit = content.charCodeAt(i);
		high = Math.imul(high ^ unit, 2654435761);
		low = Math.imul(low ^ unit, 1597334677);
	}
	high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
	low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
	return 4294967296 * (2097151 & low) + (high >>> 0);
}
