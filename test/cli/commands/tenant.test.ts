import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTenants } from "../../../src/services/tenants.js";
import { openStore } from "../../../src/store/open-store.js";
import { runCli } from "../../helpers/run-cli.js";
import { tempDir } from "../../helpers/temp-dir.js";

function owner(db: string, key: string): string | undefined {
	const store = openStore(db);
	const name = createTenants({ store }).authenticate(key)?.name;
	store.close();
	return name;
}

describe("label tenant", () => {
	it("create prints the key, and with --json id, name and api_key; the file holds no key", async () => {
		const db = join(tempDir(), "label.db");
		const plain = await runCli(["tenant", "create", "acme", "--db", db]);
		expect(plain).toMatchObject({ status: 0, stdout: expect.stringMatching(/^lbl_\w{49}\n$/) });
		const json = JSON.parse((await runCli(["tenant", "create", "beta", "--db", db, "--json"])).stdout);
		expect(json).toEqual({ id: 2, name: "beta", api_key: expect.stringMatching(/^lbl_/) });
		expect([owner(db, plain.stdout.trim()), owner(db, json.api_key)]).toEqual(["acme", "beta"]);
		expect(readFileSync(db).includes("lbl_")).toBe(false);
	});

	it("rotate-key voids the old key, list says who has one, remove erases", async () => {
		const db = join(tempDir(), "label.db");
		const old = JSON.parse((await runCli(["tenant", "create", "acme", "--json", "--db", db])).stdout).api_key;
		const fresh = JSON.parse((await runCli(["tenant", "rotate-key", "acme", "--db", db, "--json"])).stdout).api_key;
		expect([owner(db, old), owner(db, fresh)]).toEqual([undefined, "acme"]);
		expect(JSON.parse((await runCli(["tenant", "list", "--db", db, "--json"])).stdout)).toEqual([
			{ id: 1, name: "acme", has_key: true, created_at: expect.stringMatching(/Z$/) },
		]);
		expect((await runCli(["tenant", "list", "--db", db])).stdout).toMatch(/acme\s+yes/);
		expect(JSON.parse((await runCli(["tenant", "remove", "acme", "--db", db, "--json"])).stdout)).toEqual({ id: 1, name: "acme", removed: true });
		expect(JSON.parse((await runCli(["tenant", "list", "--db", db, "--json"])).stdout)).toEqual([]);
	});

	it("says what is wrong: a taken name, a bad one, an unknown one, a missing database", async () => {
		const db = join(tempDir(), "label.db");
		await runCli(["tenant", "create", "acme", "--db", db]);
		for (const [args, message] of [
			[["create", "acme", "--db", db], 'a tenant "acme" already'],
			[["create", "a b", "--db", db], "1 to 64 letters"],
			[["remove", "nobody", "--db", db], 'no tenant "nobody"'],
			[["rotate-key", "nobody", "--db", db], 'no tenant "nobody"'],
		] as const) {
			const { status, stderr, stdout } = await runCli(["tenant", ...args]);
			expect([status, stdout]).toEqual([2, ""]);
			expect(stderr).toContain(message);
		}
		expect(await runCli(["tenant", "list", "--db", `${db}.none`])).toMatchObject({ status: 4, stderr: expect.stringContaining("there is no database") });
	});
});
