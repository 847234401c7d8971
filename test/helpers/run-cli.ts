import { PassThrough, Readable } from "node:stream";
import { run } from "../../src/cli/index.js";

export interface CliResult {
	status: number;
	stdout: string;
	stderr: string;
}

/** Runs the command line in this process. */
export async function runCli(
	args: readonly string[],
	options: { stdin?: string; env?: Record<string, string>; signal?: AbortSignal; onStdout?: (text: string) => void } = {},
): Promise<CliResult> {
	const texts = { stdout: "", stderr: "" };
	const sink = (name: keyof typeof texts) =>
		Object.assign(new PassThrough(), { isTTY: false }).on("data", (chunk) => {
			texts[name] += chunk;
			if (name === "stdout") options.onStdout?.(texts.stdout);
		});
	const status = await run(args, {
		stdout: sink("stdout"),
		stderr: sink("stderr"),
		stdin: Object.assign(Readable.from([Buffer.from(options.stdin ?? "")]), { isTTY: false }),
		env: options.env ?? {},
		signal: options.signal ?? new AbortController().signal,
	});
	// What was written last is read in the next turn.
	await new Promise((resolve) => setImmediate(resolve));
	return { status, ...texts };
}
