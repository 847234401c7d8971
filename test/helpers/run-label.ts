import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export interface LabelResult {
	/** Exit status; null when a signal ended the process. */
	status: number | null;
	stdout: string;
	stderr: string;
}

export const BINARY = fileURLToPath(new URL("../../bin/label.js", import.meta.url));

/** The environment without what would steer `label` or colour its output; rules alone, which load faster. */
export function cleanEnv(env: Record<string, string> = {}): Record<string, string | undefined> {
	const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("LABEL_") && !/^(NO|FORCE)_COLOR$/.test(name));
	return { ...Object.fromEntries(kept), LABEL_MODEL: "none", ...env };
}

/** Runs the built program as a process of its own, to its end. */
export async function runLabel(
	args: readonly string[],
	{ stdin = "", cwd, env = {} }: { stdin?: string | Buffer; cwd?: string; env?: Record<string, string> } = {},
): Promise<LabelResult> {
	const child = spawn(process.execPath, [BINARY, ...args], { cwd, env: cleanEnv(env), stdio: "pipe" });
	// A process that ends before it has read everything closes the pipe.
	child.stdin.on("error", () => {});
	child.stdin.end(stdin);
	const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close") as Promise<[number | null]>]);
	return { status, stdout, stderr };
}

/** The objects of a JSONL text. */
export function fromJsonl<T = Record<string, unknown>>(lines: string): T[] {
	return lines
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line) as T);
}
