import { styleText } from "node:util";
import { LabelError } from "../errors.js";

/** What a command may touch of the outside world. */
export interface Io {
	stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
	stderr: NodeJS.WritableStream & { isTTY?: boolean };
	stdin: NodeJS.ReadableStream & { isTTY?: boolean };
	env: Record<string, string | undefined>;
	/** Aborted by Ctrl-C or SIGTERM. */
	signal: AbortSignal;
}

/** Flags that every command knows. */
export interface CommonFlags {
	json?: boolean;
	quiet?: boolean;
	verbose?: boolean;
	/** False with `--no-color`. */
	color?: boolean;
}

export type Style = Parameters<typeof styleText>[0];

/** How a command speaks: results on standard output, everything else on standard error. */
export interface Output {
	/** Writes a result; resolves when the stream takes more (back-pressure). */
	print(text: string): Promise<void>;
	/** Writes a JSON document and a newline as the result. */
	printJson(value: unknown): Promise<void>;
	/** Says something beside the result; silent with `--quiet`. */
	note(text: string): void;
	/** Says something that must be seen even with `--quiet`. */
	warn(text: string): void;
	/** Colours for standard output; plain when it is no terminal, with `--no-color` or `NO_COLOR`. */
	paint(style: Style, text: string): string;
	isQuiet: boolean;
	isJson: boolean;
}

export function createOutput(io: Io, flags: CommonFlags): Output {
	const hasColour = flags.color !== false && (io.env.NO_COLOR ?? "") === "" && (io.stdout.isTTY === true || (io.env.FORCE_COLOR ?? "") !== "");
	const print = (text: string): Promise<void> => write(io.stdout, text);
	return {
		print,
		printJson: (value) => print(`${JSON.stringify(value, null, io.stdout.isTTY ? 2 : 0)}\n`),
		note: (text) => {
			if (!flags.quiet) io.stderr.write(`${text}\n`);
		},
		warn: (text) => void io.stderr.write(`${text}\n`),
		paint: (style, text) => (hasColour ? styleText(style, text, { validateStream: false }) : text),
		isQuiet: flags.quiet === true,
		isJson: flags.json === true,
	};
}

/** Writes to a stream and waits while it is full. */
function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
	if (stream.write(text)) return Promise.resolve();
	return new Promise((resolve) => stream.once("drain", resolve));
}

/** All of standard input as text. @throws LabelError `usage` when it is a terminal */
export async function readStdin(io: Io): Promise<string> {
	if (io.stdin.isTTY) throw new LabelError("usage", "nothing to read: give a text as argument or pipe it into standard input");
	const chunks: Buffer[] = [];
	for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk));
	return Buffer.concat(chunks).toString("utf8");
}
