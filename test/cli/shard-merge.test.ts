import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const BINARY = new URL("../../bin/label.js", import.meta.url).pathname;
const DEMO = new URL("../../fixtures/demo/conversations.jsonl", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "label-merge-"));
afterAll(() => rmSync(folder, { recursive: true }));

const label = (...args: string[]): string =>
	execFileSync(process.execPath, [BINARY, ...args], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
const labelsOf = (db: string): Map<string, unknown> =>
	new Map(
		label("export", "--db", db)
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line))
			.map((row) => [`${row.session_external_id} ${row.turn}`, row]),
	);

test("three shards hold every session once, and merged they are the database of one run", () => {
	label("run", DEMO, "--db", "whole.db", "-q");
	const shards = [1, 2, 3].map((shard) => {
		label("run", DEMO, "--shard", `${shard}/3`, "--db", `shard-${shard}.db`, "-q");
		return labelsOf(`shard-${shard}.db`);
	});
	const whole = labelsOf("whole.db");
	expect(shards.reduce((sum, shard) => sum + shard.size, 0)).toBe(whole.size);
	expect(shards.every((shard) => shard.size > 0)).toBe(true);
	label("merge", "shard-1.db", "shard-2.db", "shard-3.db", "--into", "all.db", "-q");
	expect(labelsOf("all.db")).toEqual(whole);
});

test("merging again stores nothing", () => {
	const summary = JSON.parse(label("merge", "shard-1.db", "shard-2.db", "shard-3.db", "--into", "all.db", "--json"));
	expect(summary).toMatchObject({ stored: 0, rejected: 0 });
	expect(summary.skipped).toBe(labelsOf("whole.db").size);
});

test("the example of GNU parallel in docs/cli.md gives the database of one run", (context) => {
	if (spawnSync("parallel", ["--version"]).error) return context.skip();
	const docs = readFileSync(new URL("../../docs/cli.md", import.meta.url), "utf8");
	const example = /```sh\n(parallel label run [^`]*)```/.exec(docs)?.[1] ?? "";
	expect(example).toContain("label merge");
	copyFileSync(DEMO, join(folder, "chats.jsonl"));
	writeFileSync(join(folder, "label"), `#!/bin/sh\nexec "${process.execPath}" "${BINARY}" "$@"\n`);
	chmodSync(join(folder, "label"), 0o755);
	for (const db of ["all.db", "shard-1.db", "shard-2.db", "shard-3.db"]) rmSync(join(folder, db), { force: true });
	execFileSync("bash", ["-e", "-c", example], { cwd: folder, env: { ...process.env, PATH: `${folder}:${process.env.PATH}` }, stdio: "ignore" });
	expect(labelsOf("all.db")).toEqual(labelsOf("whole.db"));
});
