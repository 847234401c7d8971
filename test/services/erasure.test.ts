import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createErasure } from "../../src/services/erasure.js";
import { openTestServices } from "../helpers/open-test-store.js";

function fill() {
	const services = openTestServices();
	const { sessions, tenants, tenantId, store } = services;
	const put = (tenant: number, external_id: string, user: string, time: number) =>
		sessions.storeConversation(tenant, {
			external_id,
			end_user_external_id: user,
			title: `title-${external_id}`,
			started_at: time,
			messages: [0, 1].map((i) => ({ role: "user", content: `awful words-of-${external_id}-${i}`, external_id: `${external_id}-${i}`, created_at: time })),
		});
	put(tenantId, "a1", "ann", 10);
	put(tenantId, "a2", "ann", 20);
	put(tenantId, "b1", "bob", 30);
	const other = tenants.ensure("beta").id;
	put(other, "a1", "ann", 10);
	const names = (tenant = tenantId) =>
		sessions
			.list(tenant, { limit: 50 })
			.data.map((session) => session.external_id)
			.sort();
	/** All bytes of the database, its journal included. */
	const bytes = () => [store.path, `${store.path}-wal`].map((file) => (existsSync(file) ? readFileSync(file).toString("latin1") : "")).join("");
	return { ...services, erasure: createErasure({ store }), other, names, bytes };
}

describe("erasure", () => {
	it("of an end user takes all sessions and messages of that one, of that tenant, and nothing else", () => {
		const { erasure, tenantId, other, names, store } = fill();
		expect(erasure.endUser(tenantId, "ann")).toEqual({ sessions: 2, messages: 4 });
		expect(names()).toEqual(["b1"]);
		expect(names(other)).toEqual(["a1"]);
		expect([...store.messages.iterate({ tenant_id: tenantId })]).toHaveLength(2);
		expect([...store.messages.iterate({ tenant_id: other })]).toHaveLength(2);
		expect(erasure.endUser(tenantId, "ann")).toEqual({ sessions: 0, messages: 0 });
	});

	it("of a session takes that one, by the tenant's own external id", () => {
		const { erasure, tenantId, other, names } = fill();
		expect(erasure.session(tenantId, "a1")).toEqual({ sessions: 1, messages: 2 });
		expect(names()).toEqual(["a2", "b1"]);
		expect(names(other)).toEqual(["a1"]);
		expect(() => erasure.session(tenantId, "a1")).toThrow(expect.objectContaining({ code: "not_found" }));
	});

	it("of what is older takes sessions by their last message", () => {
		const { erasure, tenantId, names } = fill();
		expect(erasure.olderThan(tenantId, 20)).toEqual({ sessions: 1, messages: 2 });
		expect(names()).toEqual(["a2", "b1"]);
	});

	it("leaves no trace in the file or its journal when compacted, names included", () => {
		const { erasure, tenantId, other, bytes } = fill();
		expect(bytes()).toContain("words-of-a2");
		erasure.endUser(tenantId, "ann");
		erasure.endUser(other, "ann", { compact: true });
		expect(bytes()).not.toMatch(/words-of-a|title-a|a1-0|ann/);
		expect(bytes()).toContain("words-of-b1-0");
	});

	it("never gives an id away again", () => {
		const { erasure, tenantId, sessions } = fill();
		const before = sessions.find(tenantId, "b1")?.id as number;
		erasure.session(tenantId, "b1");
		expect(sessions.create(tenantId, { external_id: "b1", end_user_external_id: "bob" }).session.id).toBeGreaterThan(before);
	});
});
