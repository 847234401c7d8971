import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { LabelError } from "../../src/errors.js";
import { GroupCommit } from "../../src/server/group-commit.js";
import { openTestStore } from "../helpers/open-test-store.js";

const names = (store: ReturnType<typeof openTestStore>) => store.tenants.list().map((tenant) => tenant.name);

describe("GroupCommit", () => {
	it("puts the writes of one turn of the event loop into one transaction, and answers after it", async () => {
		const store = openTestStore();
		let transactions = 0;
		const commits = new GroupCommit({
			transaction: (work) => {
				transactions++;
				return store.transaction(work);
			},
		});
		const reader = new Database(store.path, { readonly: true });
		const answers = await Promise.all(
			Array.from({ length: 50 }, (_, i) =>
				commits.run(() => store.tenants.insert(`t${i}`, null, 0).name).then((name) => [name, reader.prepare("SELECT count(*) FROM tenants").pluck().get()]),
			),
		);
		reader.close();
		expect(transactions).toBe(1);
		expect(answers).toEqual(Array.from({ length: 50 }, (_, i) => [`t${i}`, 50]));
	});

	it("an error of one write is its own", async () => {
		const store = openTestStore();
		const commits = new GroupCommit(store);
		const results = await Promise.allSettled([
			commits.run(() => store.tenants.insert("a", null, 0)),
			commits.run(() => store.tenants.insert("a", null, 0)),
			commits.run(() => store.tenants.insert("b", null, 0)),
		]);
		expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
		expect(names(store)).toEqual(["a", "b"]);
	});

	it("a write that breaks its transaction leaves nothing of its own behind, and the others are stored all the same, once", async () => {
		const store = openTestStore();
		const commits = new GroupCommit(store);
		const results = await Promise.allSettled([
			commits.run(() => store.tenants.insert("a", null, 0).name),
			commits.run(() => {
				store.tenants.insert("half", null, 0);
				throw new TypeError("broken");
			}),
			commits.run(() => store.tenants.insert("b", null, 0).name),
		]);
		expect(results).toMatchObject([{ value: "a" }, { reason: { message: "broken" } }, { value: "b" }]);
		expect(names(store)).toEqual(["a", "b"]);
	});

	it("waits for another process's lock without blocking, and keeps the order", async () => {
		const store = openTestStore({ busyTimeout: 1 });
		const commits = new GroupCommit(store, 5000);
		const other = new Database(store.path);
		other.exec("BEGIN IMMEDIATE");
		const writes = ["a", "b", "c"].map((name) => commits.run(() => store.tenants.insert(name, null, 0)));
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(names(store)).toEqual([]);
		other.exec("COMMIT");
		other.close();
		await Promise.all(writes);
		expect(names(store)).toEqual(["a", "b", "c"]);
	});

	it("gives up with database_busy after its patience, and has stored nothing then", async () => {
		const store = openTestStore({ busyTimeout: 1 });
		const commits = new GroupCommit(store, 60);
		const other = new Database(store.path);
		other.exec("BEGIN IMMEDIATE");
		const failed = await commits.run(() => store.tenants.insert("a", null, 0)).catch((error: unknown) => error);
		other.exec("ROLLBACK");
		other.close();
		expect(failed).toBeInstanceOf(LabelError);
		expect(failed).toMatchObject({ code: "database_busy" });
		await commits.run(() => store.tenants.insert("b", null, 0));
		expect(names(store)).toEqual(["b"]);
	});

	it("is drained when all is written", async () => {
		const store = openTestStore();
		const commits = new GroupCommit(store);
		const all = Array.from({ length: 600 }, (_, i) => commits.run(() => store.tenants.insert(`t${i}`, null, 0)));
		await commits.drained();
		expect(names(store)).toHaveLength(600);
		await Promise.all(all);
		await commits.drained();
	});
});
