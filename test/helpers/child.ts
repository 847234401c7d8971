import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export type Child = ChildProcessByStdio<null, Readable, null>;

/** Starts a TypeScript file beside this one as a process; killed at the end of the test if it still runs. */
export function startChild(file: string, ...args: string[]): Child {
	const child = spawn(process.execPath, ["--import", "tsx", fileURLToPath(new URL(file, import.meta.url)), ...args], { stdio: ["ignore", "pipe", "inherit"] });
	onTestFinished(() => void child.kill("SIGKILL"));
	return child;
}

/** The first line that the process prints. */
export async function firstLine(child: Child): Promise<string> {
	const [line] = (await once(createInterface(child.stdout), "line")) as [string];
	return line;
}

/** Exit status of the process; null when a signal ended it. */
export async function exitOf(child: Child): Promise<number | null> {
	if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
	const [code] = (await once(child, "exit")) as [number | null];
	return code;
}
