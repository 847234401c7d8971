import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestServices } from "../../helpers/open-test-store.js";
import { runCli } from "../../helpers/run-cli.js";
import { tempDir } from "../../helpers/temp-dir.js";

function fill(): { db: string; names: () => string[] } {
	const { sessions, tenantId, store } = openTestServices();
	for (const [external_id, user, date] of [
		["a1", "ann", "2024-05-01"],
		["a2", "ann", "2025-05-01"],
		["b1", "bob", "2025-06-01"],
	] as const) {
		const created_at = Date.parse(date);
		sessions.storeConversation(tenantId, {
			external_id,
			end_user_external_id: user,
			title: null,
			started_at: created_at,
			messages: [{ role: "user", content: "hello", external_id: null, created_at }],
		});
	}
	return { db: store.path, names: () => sessions.list(tenantId, { limit: 50 }).data.map((session) => session.external_id) };
}

describe("label forget, label purge", () => {
	it("erase an end user, a session, and what is older than a date", async () => {
		const { db, names } = fill();
		const at = ["--db", db, "--tenant", "acme"];
		expect(JSON.parse((await runCli(["purge", "--before", "2025-01-01", ...at, "--json"])).stdout)).toEqual({ sessions: 1, messages: 1 });
		expect(names()).toEqual(["b1", "a2"]);
		expect((await runCli(["forget", "--session", "b1", ...at, "--compact"])).stdout).toBe("erased 1 sessions with 1 messages\n");
		expect(JSON.parse((await runCli(["forget", "--end-user", "ann", ...at, "--json"])).stdout)).toEqual({ sessions: 1, messages: 1 });
		expect(names()).toEqual([]);
	});

	it("erase nothing when the order is unclear", async () => {
		const { db, names } = fill();
		const at = ["--db", db, "--tenant", "acme"];
		for (const args of [
			["forget"],
			["forget", "--end-user", "ann", "--session", "a1"],
			["forget", "--session", "none"],
			["purge"],
			["purge", "--before", "last week"],
		]) {
			expect([args, (await runCli([...args, ...at])).status]).toEqual([args, 2]);
		}
		expect((await runCli(["forget", "--end-user", "ann", "--db", db, "--tenant", "nobody"])).status).toBe(2);
		expect((await runCli(["purge", "--before", "2030-01-01", "--db", join(tempDir(), "none.db")])).status).toBe(4);
		expect(names()).toHaveLength(3);
	});
});
