import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { resolve } from "node:path";
import { finished } from "node:stream/promises";
import ndjson from "ndjson";
import { LabelError } from "../errors.js";
import type { Reject } from "../services/run.js";
import { ROW_FORMATS, type RowFormat } from "../writers/index.js";

/** Files that a run writes. */
interface Outputs {
	/** Undefined with `--db none`. */
	db: string | undefined;
	rejects: string;
	out: string | undefined;
}

/**
 * The inputs without what the run itself writes, which a folder or a glob may well hold.
 * @param named the inputs as they were given
 * @param files the files behind them
 * @throws LabelError `usage` when an output is itself named as an input: writing would destroy it
 */
export function withoutOutputs(named: readonly string[], files: readonly string[], { db, rejects, out }: Outputs): string[] {
	const outputs = new Map<string, string>();
	if (db !== undefined) for (const suffix of ["", "-wal", "-shm"]) outputs.set(resolve(db + suffix), "the database (--db)");
	outputs.set(resolve(rejects), "the rejects file of this run (--rejects)");
	if (out !== undefined) outputs.set(resolve(out), "an output of this run (--out)");
	for (const name of named) {
		const role = name === "-" ? undefined : outputs.get(resolve(name));
		if (role !== undefined) throw new LabelError("usage", `${name} is an input and also ${role}: writing would destroy it; give another name`);
	}
	return files.filter((file) => file === "-" || !outputs.has(resolve(file)));
}

/** The rejects file; it is only made when something is rejected, and holds the rejects of this run. @throws LabelError `output_unwritable` on `close` */
export function createRejects(path: string, keepContent: boolean) {
	let stream: ReturnType<typeof ndjson.stringify> | undefined;
	let written: Promise<void> | undefined;
	return {
		path,
		count: 0,
		add({ file, line, record, code, message, raw, turns }: Reject): void {
			if (stream === undefined) {
				const target = createWriteStream(path);
				stream = ndjson.stringify();
				written = finished(target).catch((cause) => {
					throw new LabelError("output_unwritable", `the rejects file ${path} can not be written; name another with --rejects`, { cause });
				});
				// Said by close(); until then it must not count as unhandled.
				written.catch(() => {});
				stream.pipe(target);
			}
			this.count++;
			stream.write({ file, line, record, code, message, turns, ...(keepContent ? { raw } : {}) });
		},
		async close(): Promise<void> {
			stream?.end();
			await written;
		},
	};
}

/** The file of `--out`: JSONL, or CSV when its name says so. @throws LabelError `output_unwritable` on `write` or `close` */
export function createRows(path: string) {
	const format: RowFormat = path.endsWith(".csv") ? "csv" : "jsonl";
	const writer = ROW_FORMATS[format]();
	const stream = createWriteStream(path);
	const fail = (cause: unknown): never => {
		throw new LabelError("output_unwritable", `${path} can not be written; choose another --out`, { cause });
	};
	const written = finished(stream).catch(fail);
	// Said by write() and close(); until then it must not count as unhandled.
	written.catch(() => {});
	return {
		async write(row: Record<string, unknown>): Promise<void> {
			if (stream.errored) fail(stream.errored);
			if (!stream.write(writer.row(row))) await once(stream, "drain").catch(fail);
		},
		async close(): Promise<void> {
			stream.end();
			await written;
		},
	};
}
