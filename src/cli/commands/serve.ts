import { LabelError } from "../../errors.js";
import { startServer } from "../../server/index.js";
import { type CommandContext, DISCLAIMER } from "../command.js";
import { type CommonFlags, createOutput } from "../io.js";
import { type ScorerFlags, scorerOf } from "../scorer-flags.js";

interface ServeFlags extends CommonFlags, ScorerFlags {
	db: string;
	host: string;
	port: string;
	allowRemote?: boolean;
	rateLimit?: string;
	corsOrigin?: string[];
	/** False with `--no-content`. */
	content: boolean;
}

/** `label serve`: the v1 API, until it is interrupted; requests in flight are finished then. */
export async function serve({ io }: CommandContext, flags: ServeFlags): Promise<void> {
	const output = createOutput(io, flags);
	const server = await startServer({
		db: flags.db,
		scorer: scorerOf(flags),
		host: flags.host,
		port: toWholeNumber(flags.port, "port", 0, 65_535),
		allowRemote: flags.allowRemote,
		rateLimit: flags.rateLimit === undefined ? undefined : toWholeNumber(flags.rateLimit, "rate-limit", 1, 1_000_000),
		corsOrigins: (flags.corsOrigin ?? []).map(toOrigin),
		keepContent: flags.content,
		log: output.isQuiet ? null : io.stderr,
	});
	if (output.isJson) await output.print(`${JSON.stringify({ url: server.url, db: flags.db, pid: process.pid })}\n`);
	else await output.print(`label serves ${flags.db} at ${server.url} (documentation: ${server.url}/docs); Ctrl-C stops it\n`);
	if (server.created !== null) {
		output.warn(
			`API key of tenant ${server.created.tenant.name}, shown this once: ${server.created.api_key}\n(label tenant rotate-key ${server.created.tenant.name} gives a new one)`,
		);
	}
	if (!output.isJson) output.note(DISCLAIMER);
	if (!io.signal.aborted) await new Promise((resolve) => io.signal.addEventListener("abort", resolve, { once: true }));
	await server.close();
}

function toWholeNumber(text: string, flag: string, least: number, most: number): number {
	const value = Number(text);
	if (!/^\d+$/.test(text) || value < least || value > most)
		throw new LabelError("usage", `--${flag} must be a whole number from ${least} to ${most}`, { param: flag });
	return value;
}

/** An origin as browsers send it: scheme, host and port, nothing after. */
function toOrigin(text: string): string {
	if (text === "*" || (URL.canParse(text) && new URL(text).origin === text)) return text;
	throw new LabelError("usage", `--cors-origin ${text}: write an origin such as https://app.example, or *`, { param: "cors-origin" });
}
