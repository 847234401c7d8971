import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../helpers/run-cli.js";
import { tempDir } from "../../helpers/temp-dir.js";

/** Runs `label serve` until `work` is done, then interrupts it. */
async function serve(args: string[], work: (stdout: string) => Promise<void>) {
	const controller = new AbortController();
	let started: (text: string) => void = () => {};
	const ready = new Promise<string>((resolve) => {
		started = resolve;
	});
	const done = runCli(["serve", "--model", "none", "--port", "0", ...args], {
		signal: controller.signal,
		onStdout: (text) => text.includes("\n") && started(text),
	});
	await work(await Promise.race([ready, done.then(({ stderr }) => Promise.reject(new Error(stderr)))]));
	controller.abort();
	return done;
}

describe("label serve", () => {
	it("--json prints one line with url, db and pid once it accepts connections, and ends with 0 when it is interrupted", async () => {
		const db = join(tempDir(), "label.db");
		const { status, stdout, stderr } = await serve(["--db", db, "--json"], async (line) => {
			const { url, ...rest } = JSON.parse(line);
			expect(rest).toEqual({ db, pid: process.pid });
			expect((await fetch(`${url}/healthz`)).status).toBe(200);
		});
		expect(status).toBe(0);
		expect(stdout.trim().split("\n")).toHaveLength(1);
		expect(stderr.match(/lbl_\w+/g)).toHaveLength(1);
	});

	it("shows the key of the tenant local on the first start only, and logs requests on standard error", async () => {
		const db = join(tempDir(), "label.db");
		let key = "";
		const first = await serve(["--db", db], async (stdout) => {
			expect(stdout).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
		});
		key = first.stderr.match(/lbl_\w+/)?.[0] as string;
		const second = await serve(["--db", db], async (stdout) => {
			const url = stdout.match(/http:\/\/[\d.]+:\d+/)?.[0] as string;
			expect((await fetch(`${url}/api/v1/sessions`, { headers: { Authorization: `Bearer ${key}` } })).status).toBe(200);
		});
		expect(second.stderr).not.toContain("lbl_");
		expect(second.stderr).toContain('"route":"/api/v1/sessions","status":200');
	});

	it.each([
		[["--port", "x"], "--port"],
		[["--port", "70000"], "--port"],
		[["--rate-limit", "0"], "--rate-limit"],
		[["--cors-origin", "https://app.example/path"], "--cors-origin"],
		[["--host", "0.0.0.0"], "--allow-remote"],
	])("%j is wrong usage: exit 2 and a message that names the flag", async (args, flag) => {
		const { status, stderr, stdout } = await runCli(["serve", "--model", "none", "--db", join(tempDir(), "label.db"), ...args]);
		expect([status, stdout]).toEqual([2, ""]);
		expect(stderr).toContain(flag);
	});

	it("a file that is no database is exit 4", async () => {
		const { status, stderr } = await runCli(["serve", "--model", "none", "--port", "0", "--db", join(process.cwd(), "package.json")]);
		expect(status).toBe(4);
		expect(stderr).toContain("is not a database");
	});
});
