import type { Io } from "./io.js";

/** Says how far a long command has come. */
export interface Progress {
	update(done: number, extra?: string): void;
	stop(): void;
}

/** How often a plain line is written where standard error is no terminal, in milliseconds. */
const PLAIN_EVERY = 5_000;
const SPINNER_EVERY = 100;

/** A spinner (ora) on a terminal, a plain line every few seconds elsewhere, nothing with `--quiet`. */
export async function createProgress(io: Io, isQuiet: boolean, what: string): Promise<Progress> {
	if (isQuiet) return { update: () => {}, stop: () => {} };
	const begun = performance.now();
	const text = (done: number, extra: string): string => {
		const seconds = (performance.now() - begun) / 1000;
		return `${done.toLocaleString("en")} ${what}, ${Math.round(done / Math.max(seconds, 0.001)).toLocaleString("en")} a second${extra}`;
	};
	if (!io.stderr.isTTY) {
		let last = begun;
		return {
			update(done, extra = "") {
				if (performance.now() - last < PLAIN_EVERY) return;
				last = performance.now();
				io.stderr.write(`${text(done, extra)}\n`);
			},
			stop: () => {},
		};
	}
	const { default: ora } = await import("ora");
	const spinner = ora({ stream: io.stderr as NodeJS.WriteStream, discardStdin: false }).start();
	let last = 0;
	return {
		update(done, extra = "") {
			if (performance.now() - last < SPINNER_EVERY) return;
			last = performance.now();
			spinner.text = text(done, extra);
		},
		stop: () => void spinner.stop(),
	};
}
