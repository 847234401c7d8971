import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import ndjson from "ndjson";
import { LabelError } from "../../errors.js";
import { openScorer } from "../../lexicon/open-scorer.js";
import { expandInputs, FORMATS, type ReadOptions } from "../../readers/index.js";
import { batchRows } from "../../services/label-rows.js";
import { type Reject, type RunResult, runFiles } from "../../services/run.js";
import { createSessions } from "../../services/sessions.js";
import { silentScorer } from "../../services/silent-scorer.js";
import { createTenants } from "../../services/tenants.js";
import { createWorkerPool } from "../../services/worker-pool.js";
import { openStore } from "../../store/open-store.js";
import { R_LEVELS, type RLevel, type Scorer } from "../../types.js";
import { ROW_FORMATS, type RowFormat } from "../../writers/index.js";
import { type CommandContext, DISCLAIMER } from "../command.js";
import { dryRun } from "../dry-run.js";
import { EXIT } from "../exit-status.js";
import { type CommonFlags, createOutput } from "../io.js";
import { createProgress } from "../progress.js";
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
	const files = expandInputs(paths);
	if (files.length === 0) throw new LabelError("file_not_found", "there is no file in the folder given");
	if (flags.dryRun) return dryRun(files, read, output);
	const takes = flags.shard === undefined ? undefined : parseShard(flags.shard);
	const database = openDatabase(flags);
	const { store } = database;
	const setup = {
		policy: undefined,
		modelFile: flags.model === "none" ? null : flags.model,
		scoring: flags.scorer === "none" ? "off" : "on",
		keepContent: flags.content,
		endUser: flags.endUser,
	} as const;
	const scorer: Scorer = flags.scorer === "none" ? silentScorer() : openScorer({ modelFile: setup.modelFile });
	const sessions = createSessions({ store, scorer, keepContent: flags.content && !database.isTemporary });
	const tenant = createTenants({ store }).ensure(flags.tenant);
	const pool = createWorkerPool(workerCount(flags, files), setup);
	const rejects = createRejects(rejectsPath(flags), flags.rejectContent);
	const rows = createRows(flags);
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
		const summary = toSummary(sessions, tenant.id, result, (performance.now() - begun) / 1000);
		await say(summary, result);
	} finally {
		progress.stop();
		await pool.close();
		await rejects.close();
		database.close();
	}

	async function say(summary: RunSummary, result: RunResult): Promise<void> {
		if (flags.json) await (flags.stdout ? io.stderr.write(`${JSON.stringify(summary)}\n`) : output.printJson(summary));
		else if (flags.stdout) output.note(summaryText(summary, output, database.isTemporary ? undefined : flags.db));
		else {
			await output.print(`${summaryText(summary, output, database.isTemporary ? undefined : flags.db)}\n`);
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

/** The database of `--db`; for `--db none` one in a temporary folder, so that sessions mean the same, removed at the end. */
function openDatabase(flags: RunFlags): { store: ReturnType<typeof openStore>; isTemporary: boolean; close(): void } {
	if (flags.db !== "none") {
		const store = openStore(flags.db, { durability: "run" });
		return { store, isTemporary: false, close: () => store.close() };
	}
	if (!flags.stdout && flags.out === undefined) throw new LabelError("usage", "--db none stores nothing: say where the labels go, with --stdout or --out FILE");
	const folder = mkdtempSync(join(tmpdir(), "label-"));
	const store = openStore(join(folder, "run.db"), { durability: "run" });
	return {
		store,
		isTemporary: true,
		close() {
			store.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
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
	return isSmall ? 0 : Math.min(2, availableParallelism());
}

function rejectsPath(flags: RunFlags): string {
	return flags.rejects ?? (flags.db === "none" ? "label.rejects.jsonl" : `${flags.db}.rejects.jsonl`);
}

/** The rejects file; it is only made when something is rejected, and holds the rejects of this run. */
function createRejects(path: string, keepContent: boolean) {
	let stream: ReturnType<typeof ndjson.stringify> | undefined;
	let finished: Promise<void> | undefined;
	const sink = {
		path,
		count: 0,
		add({ file, line, record, code, message, raw, turns }: Reject): void {
			if (stream === undefined) {
				const target = createWriteStream(path);
				stream = ndjson.stringify();
				finished = new Promise((resolve, reject) => {
					target.on("finish", resolve);
					target.on("error", (cause) =>
						reject(new LabelError("output_unwritable", `the rejects file ${path} can not be written; name another with --rejects`, { cause })),
					);
				});
				finished.catch(() => {});
				stream.pipe(target);
			}
			sink.count++;
			stream.write({ file, line, record, code, message, turns, ...(keepContent ? { raw } : {}) });
		},
		async close(): Promise<void> {
			stream?.end();
			await finished;
		},
	};
	return sink;
}

/** The file of `--out`: JSONL, or CSV when its name says so. */
function createRows(flags: RunFlags) {
	if (flags.out === undefined) return undefined;
	const path = flags.out;
	const format: RowFormat = path.endsWith(".csv") ? "csv" : "jsonl";
	const writer = ROW_FORMATS[format]();
	const stream = createWriteStream(path);
	let failure: Error | undefined;
	stream.on("error", (cause) => {
		failure = new LabelError("output_unwritable", `${path} can not be written; choose another --out`, { cause });
	});
	return {
		async write(row: Record<string, unknown>): Promise<void> {
			if (failure) throw failure;
			if (!stream.write(writer.row(row))) await once(stream, "drain");
		},
		async close(): Promise<void> {
			await new Promise<void>((resolve) => stream.end(() => resolve()));
			if (failure) throw failure;
		},
	};
}
