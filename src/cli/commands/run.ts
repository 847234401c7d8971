import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { LabelError } from "../../errors.js";
import { openScorerLate } from "../../lexicon/open-scorer.js";
import { expandInputs, FORMATS, type ReadOptions } from "../../readers/index.js";
import { batchRows } from "../../services/label-rows.js";
import type { Store } from "../../services/ports.js";
import { type RunResult, runFiles } from "../../services/run.js";
import { RunTally } from "../../services/run-tally.js";
import { scorerOf } from "../../services/run-worker.js";
import { createSessions } from "../../services/sessions.js";
import { checkTenantName, createTenants } from "../../services/tenants.js";
import { createWorkerPool, type WorkerPool } from "../../services/worker-pool.js";
import { openStore } from "../../store/open-store.js";
import { R_LEVELS, type RLevel, type Scorer } from "../../types.js";
import { type CommandContext, DISCLAIMER } from "../command.js";
import { dryRun } from "../dry-run.js";
import { EXIT } from "../exit-status.js";
import { type CommonFlags, createOutput, type Output } from "../io.js";
import { createProgress } from "../progress.js";
import { createRejects, createRows, withoutOutputs } from "../run-outputs.js";
import { type RunSummary, summaryText, toSummary } from "../run-summary.js";
import type { ScorerFlags } from "../scorer-flags.js";
import { parseShard } from "../shard.js";

export interface RunFlags extends CommonFlags, ScorerFlags {
	db: string;
	tenant: string;
	out?: string;
	stdout?: boolean;
	format?: string;
	delimiter?: string;
	me?: string;
	assistant?: string;
	map?: string;
	roleMap?: string;
	endUser: string;
	sortBy?: "created_at";
	onConflict: "reject" | "replace";
	append?: boolean;
	/** False with `--no-content`. */
	content: boolean;
	rejects?: string;
	/** False with `--no-reject-content`. */
	rejectContent: boolean;
	allowRejects?: boolean;
	failOn?: RLevel;
	workers?: string;
	shard?: string;
	scorer: "default" | "none";
	dryRun?: boolean;
}

/** Inputs below this are done without threads: starting them takes longer. */
const LEAST_BYTES_FOR_WORKERS = 1 << 20;

/** `label run`: labels conversation files into a database; the main job. */
export async function runCommand({ io, setStatus }: CommandContext, flags: RunFlags, paths: string[]): Promise<void> {
	const output = createOutput(io, flags);
	const read = readOptions(flags);
	const rejectsPath = flags.rejects ?? (flags.db === "none" ? "label.rejects.jsonl" : `${flags.db}.rejects.jsonl`);
	const files = withoutOutputs(paths, expandInputs(paths), { db: flags.db === "none" ? undefined : flags.db, rejects: rejectsPath, out: flags.out });
	if (files.length === 0) throw new LabelError("file_not_found", "there is no file in the folder given");
	if (flags.dryRun) return dryRun(files, read, output);
	const takes = flags.shard === undefined ? undefined : parseShard(flags.shard);
	const workers = workerCount(flags, files);
	checkTenantName(flags.tenant);
	const setup = {
		policy: undefined,
		modelFile: flags.model === "none" ? null : flags.model,
		scoring: flags.scorer === "none" ? "off" : "on",
		keepContent: flags.content,
		endUser: flags.endUser,
	} as const;
	let own: Scorer | undefined;
	// This thread stores; it scores only what continues a stored session.
	const openScorer = (): Scorer => (own ??= scorerOf(setup, openScorerLate));
	// First of all, so that the threads load while this one opens scorer and database.
	const pool = createWorkerPool(workers, setup, openScorer);
	try {
		await labelFiles({ io, setStatus }, flags, { files, read, takes, rejectsPath, pool, scorer: openScorer(), output });
	} finally {
		await pool.close();
	}
}

interface RunParts {
	files: readonly string[];
	read: ReadOptions;
	takes: ((externalId: string) => boolean) | undefined;
	rejectsPath: string;
	pool: WorkerPool;
	scorer: Scorer;
	output: Output;
}

async function labelFiles({ io, setStatus }: CommandContext, flags: RunFlags, parts: RunParts): Promise<void> {
	const { files, read, takes, rejectsPath, pool, scorer, output } = parts;
	const { store, isTemporary } = openDatabase(flags);
	const sessions = createSessions({ store, scorer, keepContent: flags.content && !isTemporary });
	const tenant = createTenants({ store }).ensure(flags.tenant);
	const tally = new RunTally(store, tenant.id);
	const rejects = createRejects(rejectsPath, flags.rejectContent);
	const rows = flags.out === undefined ? undefined : createRows(flags.out);
	const progress = await createProgress(io, output.isQuiet, "turns");
	const begun = performance.now();
	let failedFiles = 0;
	try {
		const result = await runFiles(
			sessions,
			pool,
			{ files, tenantId: tenant.id, read, store: { onConflict: flags.onConflict, append: flags.append === true }, takes, signal: io.signal },
			{
				async stored(batch, outcomes) {
					tally.add(batch.batch.columns, outcomes);
					if (!flags.stdout && rows === undefined) return;
					let text = "";
					for (const row of batchRows(batch, outcomes, scorer.version, flags.content)) {
						if (flags.stdout) text += `${JSON.stringify(row)}\n`;
						await rows?.write(row as unknown as Record<string, unknown>);
					}
					if (text !== "") await output.print(text);
				},
				rejected: (reject) => rejects.add(reject),
				failed: (_file, error) => {
					failedFiles++;
					output.warn(`label: ${error.message}; the other files go on`);
				},
				progress: ({ turns_in }) => progress.update(turns_in),
			},
		);
		progress.stop();
		await rows?.close();
		await rejects.close();
		const counts = flags.onConflict === "replace" ? sessions.summary(tenant.id) : tally.summary();
		const summary = toSummary(sessions, tenant.id, counts, { result, seconds: (performance.now() - begun) / 1000 });
		await say(summary, result);
	} finally {
		progress.stop();
		store.close();
		await rejects.close();
	}

	async function say(summary: RunSummary, result: RunResult): Promise<void> {
		if (flags.json) await (flags.stdout ? io.stderr.write(`${JSON.stringify(summary)}\n`) : output.printJson(summary));
		else if (flags.stdout) output.note(summaryText(summary, output, isTemporary ? undefined : flags.db));
		else {
			await output.print(`${summaryText(summary, output, isTemporary ? undefined : flags.db)}\n`);
			output.note(DISCLAIMER);
		}
		if (rejects.count > 0)
			output.warn(
				`${rejects.count} ${rejects.count === 1 ? "record was" : "records were"} rejected: ${rejects.path} says which and why; mend them and run that file, or the whole again`,
			);
		if (result.isInterrupted) {
			output.warn("interrupted: what was done is stored; the same command goes on from there");
			return setStatus(EXIT.interrupted);
		}
		const isGateMissed = flags.failOn !== undefined && R_LEVELS.slice(R_LEVELS.indexOf(flags.failOn)).some((level) => summary.sessions_by_level[level] > 0);
		if (failedFiles > 0) setStatus(EXIT.failed);
		else if (isGateMissed) setStatus(EXIT.gate);
		else if (rejects.count > 0 && !flags.allowRejects) setStatus(EXIT.rejected);
	}
}

/**
 * The database of `--db`; for `--db none` a nameless one, so that sessions mean the same: SQLite keeps it in memory and in a file that has
 * no name from the start, which is gone however the process ends.
 */
function openDatabase(flags: RunFlags): { store: Store; isTemporary: boolean } {
	if (flags.db !== "none") return { store: openStore(flags.db, { durability: "run" }), isTemporary: false };
	if (!flags.stdout && flags.out === undefined) throw new LabelError("usage", "--db none stores nothing: say where the labels go, with --stdout or --out FILE");
	return { store: openStore("", { durability: "run" }), isTemporary: true };
}

function readOptions(flags: RunFlags): ReadOptions {
	if (flags.format !== undefined && !(FORMATS as readonly string[]).includes(flags.format))
		throw new LabelError("usage", `--format ${flags.format}: known are ${FORMATS.join(", ")}`, { param: "format" });
	if (flags.delimiter !== undefined && !/^[^"\r\n]$/.test(delimiterOf(flags.delimiter)))
		throw new LabelError("usage", "--delimiter must be one character, or \\t for a tab", { param: "delimiter" });
	return {
		...(flags.format === undefined ? {} : { format: flags.format }),
		...(flags.delimiter === undefined ? {} : { delimiter: delimiterOf(flags.delimiter) }),
		...(flags.me === undefined ? {} : { me: names(flags.me) }),
		...(flags.assistant === undefined ? {} : { assistant: names(flags.assistant) }),
		...(flags.map === undefined ? {} : { map: pairs(flags.map, "map") }),
		...(flags.roleMap === undefined ? {} : { roleMap: lowerKeys(pairs(flags.roleMap, "role-map")) }),
		...(flags.sortBy === undefined ? {} : { sortBy: flags.sortBy }),
	};
}

function delimiterOf(flag: string): string {
	return flag === "\\t" ? "\t" : flag;
}

function names(flag: string): string[] {
	return flag
		.split(",")
		.map((name) => name.trim())
		.filter((name) => name !== "");
}

/** `a=b,c=d` as an object. @throws LabelError `usage` */
function pairs(text: string, flag: string): Record<string, string> {
	return Object.fromEntries(
		text.split(",").map((pair) => {
			const [name, value, ...rest] = pair.split("=").map((part) => part.trim());
			if (!name || !value || rest.length > 0)
				throw new LabelError("usage", `--${flag} ${text}: write name=value pairs with commas between them`, { param: flag });
			return [name, value];
		}),
	);
}

function lowerKeys(map: Record<string, string>): Record<string, string> {
	return Object.fromEntries(Object.entries(map).map(([name, value]) => [name.toLowerCase(), value]));
}

function workerCount(flags: RunFlags, files: readonly string[]): number {
	if (flags.workers !== undefined) {
		const count = Number(flags.workers);
		if (!Number.isInteger(count) || count < 0 || count > 64)
			throw new LabelError("usage", "--workers must be a whole number from 0 to 64", { param: "workers" });
		return count;
	}
	const isSmall = files.every((file) => file !== "-" && statSync(file).size < LEAST_BYTES_FOR_WORKERS) && files.length < 16;
	// Without scoring one thread parses faster than this one stores.
	return isSmall ? 0 : Math.min(flags.scorer === "none" ? 1 : 2, availableParallelism());
}
