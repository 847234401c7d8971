import { createHash, randomBytes as systemRandomBytes } from "node:crypto";
import { LabelError } from "../errors.js";
import type { Store, TenantRecord } from "./ports.js";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX = "lbl_";
/** 32 bytes need 43 digits of base 62; the checksum's four bytes need 6. */
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 6;
const KEY_SHAPE = /^lbl_[0-9A-Za-z]{49}$/;
/** Letters, digits, `.`, `_`, `-`; what can stand in a command line, a log and a file name without quoting. */
const NAME_SHAPE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export interface TenantsParts {
	store: Store;
	/** Milliseconds since 1970 UTC. Default: the system's clock. */
	clock?: (() => number) | undefined;
	/** Source of keys. Default: the system's. */
	randomBytes?: ((size: number) => Uint8Array) | undefined;
}

/** The administration of tenants and their keys. */
export type Tenants = ReturnType<typeof createTenants>;

/** A tenant with its key in the clear: the only moment at which the key can be seen. */
export interface TenantWithKey {
	tenant: TenantRecord;
	api_key: string;
}

/** Makes the service of tenants over a store. */
export function createTenants({ store, clock = Date.now, randomBytes = systemRandomBytes }: TenantsParts) {
	function existing(name: string): TenantRecord {
		const tenant = store.tenants.findByName(name);
		if (tenant === null) throw new LabelError("not_found", `there is no tenant ${JSON.stringify(name)}`);
		return tenant;
	}

	return {
		/** Makes a tenant with its key. @throws LabelError `usage` (a bad name), `conflict` (the name is taken) */
		create(name: string): TenantWithKey {
			checkTenantName(name);
			const apiKey = newApiKey(randomBytes);
			return { tenant: store.transaction(() => store.tenants.insert(name, hashApiKey(apiKey), clock())), api_key: apiKey };
		},

		/** The tenant of that name, made without a key when it is new (`label run`). @throws LabelError `usage` */
		ensure(name: string): TenantRecord {
			checkTenantName(name);
			return store.tenants.findByName(name) ?? store.transaction(() => store.tenants.findByName(name) ?? store.tenants.insert(name, null, clock()));
		},

		list(): TenantRecord[] {
			return store.tenants.list();
		},

		/** @throws LabelError `not_found` */
		get: existing,

		/** Gives the tenant a new key; the old one is void from now on. @throws LabelError `not_found` */
		rotateKey(name: string): TenantWithKey {
			const apiKey = newApiKey(randomBytes);
			return store.transaction(() => {
				store.tenants.setKeyHash(existing(name).id, hashApiKey(apiKey));
				return { tenant: existing(name), api_key: apiKey };
			});
		},

		/** Erases the tenant with everything that is its own. @throws LabelError `not_found` */
		remove(name: string): TenantRecord {
			return store.transaction(() => {
				const tenant = existing(name);
				store.tenants.remove(tenant.id);
				return tenant;
			});
		},

		/** The tenant that this key belongs to; null for anything else. */
		authenticate(apiKey: string): TenantRecord | null {
			return isApiKey(apiKey) ? store.tenants.findByKeyHash(hashApiKey(apiKey)) : null;
		},
	};
}

/** `lbl_`, 32 random bytes in base 62, and a checksum, so that a truncated or mistyped key is told from a wrong one, and scanners can find leaked keys. */
export function newApiKey(randomBytes: (size: number) => Uint8Array): string {
	const secret = toBase62(randomBytes(32), SECRET_DIGITS);
	return PREFIX + secret + checksum(secret);
}

/** Whether the text has the shape and the checksum of a key. */
export function isApiKey(text: string): boolean {
	if (!KEY_SHAPE.test(text)) return false;
	const secret = text.slice(PREFIX.length, PREFIX.length + SECRET_DIGITS);
	return text.endsWith(checksum(secret));
}

/** Hex SHA-256 of the whole key: 256 random bits need no salt and no slow hash. */
export function hashApiKey(apiKey: string): string {
	return createHash("sha256").update(apiKey).digest("hex");
}

function checksum(secret: string): string {
	return toBase62(createHash("sha256").update(secret).digest().subarray(0, 4), CHECKSUM_DIGITS);
}

function toBase62(bytes: Uint8Array, digits: number): string {
	let value = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
	let text = "";
	for (let i = 0; i < digits; i++) {
		text = BASE62.charAt(Number(value % 62n)) + text;
		value /= 62n;
	}
	return text;
}

/** @throws LabelError `usage` unless a tenant may have the name */
export function checkTenantName(name: string): void {
	if (!NAME_SHAPE.test(name)) {
		throw new LabelError("usage", "a tenant's name has 1 to 64 letters, digits, dots, underscores and hyphens, and starts with a letter or a digit", {
			param: "name",
		});
	}
}
