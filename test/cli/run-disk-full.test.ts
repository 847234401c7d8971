import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { BINARY, cleanEnv } from "../helpers/run-label.js";
import { tempDir } from "../helpers/temp-dir.js";

const LINES = Array.from({ length: 3000 }, (_, number) =>
	JSON.stringify({
		id: `s${number}`,
		messages: Array.from({ length: 8 }, (_, turn) => ({ role: "user", content: `${number} ${turn} ${"and so on ".repeat(9)}` })),
	}),
);

/** A file system of a few megabytes in a folder of its own; undefined where it can not be made (only root may, and not in every container). */
function smallDisk(size: string): string | undefined {
	const folder = tempDir();
	if (spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]).status !== 0) return undefined;
	onTestFinished(() => void execFileSync("umount", ["-l", folder]));
	return folder;
}

/** Runs the program in a shell, so that the shell can set a limit first. */
function run(input: string, db: string, { before = "true" }: { before?: string } = {}): { status: number | null; stdout: string; stderr: string } {
	const command = `${before}; exec "${process.execPath}" "${BINARY}" run "${input}" --db "${db}" --json -q --scorer none`;
	const { status, stdout, stderr } = spawnSync("bash", ["-c", command], { env: cleanEnv(), encoding: "utf8" });
	return { status, stdout, stderr };
}

/** Turns stored so far; the file must be sound and no session shorter than it says. */
function soundTurns(db: string): number {
	const database = new Database(db);
	expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
	const { turns, said } = database.prepare("SELECT count(*) AS turns, (SELECT total(message_count) FROM sessions) AS said FROM messages").get() as {
		turns: number;
		said: number;
	};
	database.close();
	expect(said).toBe(turns);
	return turns;
}

let input: string;
beforeAll(() => {
	const folder = execFileSync("mktemp", ["-d"], { encoding: "utf8" }).trim();
	input = join(folder, "all.jsonl");
	writeFileSync(input, `${LINES.join("\n")}\n`);
	return () => void execFileSync("rm", ["-r", folder]);
});

test("a full disk: exit 4, a message, what was stored is sound, and with room the same command goes on", (context) => {
	const disk = smallDisk("3m");
	if (disk === undefined) return context.skip();
	const db = join(disk, "label.db");
	const full = run(input, db);
	expect(full.status).toBe(4);
	expect(full.stderr).toMatch(/^label: no space left for \S+label\.db: what was stored before is intact; free some space and run the same command again\n$/);
	const before = soundTurns(db);
	expect(before).toBeGreaterThan(0);
	expect(before).toBeLessThan(24_000);
	execFileSync("mount", ["-o", "remount,size=60m", disk]);
	const again = run(input, db);
	expect(again.status).toBe(0);
	expect(JSON.parse(again.stdout)).toMatchObject({ stored: 24_000 - before, skipped: before });
	expect(soundTurns(db)).toBe(24_000);
});

test("a disk without room for a database at all: exit 4 and a message", (context) => {
	const disk = smallDisk("24k");
	if (disk === undefined) return context.skip();
	const { status, stderr } = run(input, join(disk, "label.db"));
	expect(status).toBe(4);
	expect(stderr).toContain("no space left");
});

test("a limit of the file size is a full disk", () => {
	const db = join(tempDir(), "label.db");
	const limited = run(input, db, { before: "ulimit -f 3000" });
	expect(limited.status).toBe(4);
	expect(limited.stderr).toContain("no space left");
	const before = existsSync(db) ? soundTurns(db) : 0;
	expect(before).toBeLessThan(24_000);
	expect(JSON.parse(run(input, db).stdout)).toMatchObject({ stored: 24_000 - before, skipped: before });
	expect(soundTurns(db)).toBe(24_000);
});

test.each(["out", "rejects"])("--%s on a full disk: exit 4, and the message names the flag", (flag) => {
	if (!existsSync("/dev/full")) return;
	const bad = join(tempDir(), "bad.jsonl");
	writeFileSync(bad, `${LINES.slice(0, 500).join("\n")}\n${'{"broken\n'.repeat(5000)}`);
	const { status, stderr } = spawnSync(
		process.execPath,
		[BINARY, "run", bad, "--db", join(tempDir(), "label.db"), `--${flag}`, "/dev/full", "-q", "--scorer", "none"],
		{ env: cleanEnv(), encoding: "utf8" },
	);
	expect(status).toBe(4);
	expect(stderr).toContain(`--${flag}`);
});
