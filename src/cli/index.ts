import { CommanderError } from "commander";
import { LabelError } from "../errors.js";
import { EXIT, exitStatusOf } from "./exit-status.js";
import type { Io } from "./io.js";
import { createProgram } from "./program.js";

/**
 * The real process as `Io`. A command that looks at `signal` ends cleanly: Ctrl-C aborts once; a second one ends the process at once.
 * A command that never looks at it is ended by the first one, as any program.
 */
export function processIo(): Io {
	let signal: AbortSignal | undefined;
	// A reader that goes away ("| head") is no error. Everything is committed batch by batch, so the process may end anywhere.
	process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
		if (code === "EPIPE") process.exit(EXIT.done);
		process.stderr.write(`label: standard output can not be written (${code ?? "unknown error"})\n`);
		process.exit(EXIT.failed);
	});
	return {
		stdout: process.stdout,
		stderr: process.stderr,
		stdin: process.stdin,
		env: process.env,
		get signal() {
			signal ??= abortedByUser();
			return signal;
		},
	};
}

function abortedByUser(): AbortSignal {
	const controller = new AbortController();
	for (const name of ["SIGINT", "SIGTERM"] as const) {
		process.on(name, () => {
			if (controller.signal.aborted) process.exit(EXIT.interrupted);
			controller.abort();
			// A read that waits for input ends now.
			process.stdin.destroy();
		});
	}
	return controller.signal;
}

/** The command line: arguments and streams to an exit status. Never throws. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
	const outcome = { status: EXIT.done as number };
	const program = createProgram(io, (status) => {
		outcome.status = status;
	});
	try {
		await program.parseAsync(argv, { from: "user" });
		return outcome.status;
	} catch (error) {
		if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
		return report(error, io, argv.includes("--verbose"));
	}
}

function report(error: unknown, io: Io, isVerbose: boolean): number {
	if (error instanceof LabelError) {
		io.stderr.write(`label: ${error.message}\n`);
		if (isVerbose) io.stderr.write(`${error.stack}\n${error.cause instanceof Error ? `${error.cause.stack}\n` : ""}`);
		return exitStatusOf(error.code);
	}
	io.stderr.write(
		`label: something went wrong that should not (${error instanceof Error ? error.name : "unknown error"}); run again with --verbose for details\n`,
	);
	if (isVerbose && error instanceof Error) io.stderr.write(`${error.stack}\n`);
	return EXIT.failed;
}
