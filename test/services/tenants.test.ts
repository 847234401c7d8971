import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashApiKey, isApiKey, newApiKey } from "../../src/services/tenants.js";
import { FIRST_MOMENT, openTestServices } from "../helpers/open-test-store.js";

describe("API keys", () => {
	it("are lbl_, 43 digits of base 62 and six of checksum, from 32 bytes", () => {
		expect(newApiKey(() => new Uint8Array(32))).toMatch(/^lbl_0{43}[0-9A-Za-z]{6}$/);
		expect(newApiKey(() => new Uint8Array(32).fill(255))).toMatch(/^lbl_[1-9A-Za-z][0-9A-Za-z]{48}$/);
	});

	it("tell any one changed, lost or added character", () => {
		fc.assert(
			fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(52), fc.constantFrom(..."09AZaz-_"), (bytes, place, digit) => {
				const key = newApiKey(() => bytes);
				expect(isApiKey(key)).toBe(true);
				expect(isApiKey(key.slice(0, -1))).toBe(false);
				expect(isApiKey(`${key}0`)).toBe(false);
				const changed = key.slice(0, place) + digit + key.slice(place + 1);
				if (changed !== key) expect(isApiKey(changed)).toBe(false);
			}),
		);
	});
});

describe("tenants", () => {
	it("are created with a key that finds them, and only its hash is stored", () => {
		const { tenants, store } = openTestServices();
		const { tenant, api_key } = tenants.create("beta");
		expect(tenant).toMatchObject({ name: "beta", has_key: true });
		expect(tenants.authenticate(api_key)).toEqual(tenant);
		expect(store.tenants.findByKeyHash(hashApiKey(api_key))).toEqual(tenant);
		expect(JSON.stringify(tenants.list())).not.toContain(api_key);
	});

	it("are made on demand without a key, once", () => {
		const { tenants, tenantId } = openTestServices();
		expect(tenants.ensure("acme")).toEqual({ id: tenantId, name: "acme", created_at: FIRST_MOMENT, has_key: false });
		expect(tenants.list()).toHaveLength(1);
	});

	it("get a new key by rotation, which voids the old one", () => {
		const { tenants } = openTestServices();
		const first = tenants.create("beta").api_key;
		const second = tenants.rotateKey("beta").api_key;
		expect(second).not.toBe(first);
		expect(tenants.authenticate(first)).toBeNull();
		expect(tenants.authenticate(second)?.name).toBe("beta");
		expect(tenants.rotateKey("acme").tenant).toMatchObject({ name: "acme", has_key: true });
	});

	it("are removed with everything that is their own", () => {
		const { tenants, sessions, tenantId, store } = openTestServices();
		const other = tenants.create("beta");
		const { session } = sessions.create(other.tenant.id, { end_user_external_id: "u" });
		sessions.append(other.tenant.id, session.id, { role: "user", content: "hello", external_id: null, created_at: null });
		const kept = sessions.create(tenantId, { end_user_external_id: "u" }).session;
		tenants.remove("beta");
		expect(tenants.authenticate(other.api_key)).toBeNull();
		expect(store.messages.get(session.id, 0)).toBeNull();
		expect(store.sessions.get(other.tenant.id, session.id)).toBeNull();
		expect(sessions.get(tenantId, kept.id)).toEqual(kept);
	});

	it("have names that need no quoting, and each only once", () => {
		const { tenants } = openTestServices();
		for (const name of ["", "-x", "a b", "a/b", "é", "x".repeat(65), "a\n"]) {
			expect(() => tenants.create(name)).toThrow(expect.objectContaining({ code: "usage", param: "name" }));
			expect(() => tenants.ensure(name)).toThrow(expect.objectContaining({ code: "usage" }));
		}
		expect(() => tenants.create("acme")).toThrow(expect.objectContaining({ code: "conflict" }));
	});

	it("that don't exist are said not to", () => {
		const { tenants } = openTestServices();
		for (const act of [tenants.get, tenants.rotateKey, tenants.remove]) expect(() => act("nobody")).toThrow(expect.objectContaining({ code: "not_found" }));
	});
});
