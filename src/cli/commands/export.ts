import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { LabelError } from "../../errors.js";
import { toLabelRow } from "../../services/label-rows.js";
import type { SessionRecord } from "../../services/ports.js";
import type { RLevel } from "../../types.js";
import { ROW_FORMATS, type RowFormat } from "../../writers/index.js";
import type { CommandContext } from "../command.js";
import { type CommonFlags, createOutput } from "../io.js";
import { openDatabase, type ReadDatabase, toTimeFlag } from "../open-database.js";
import { toPlainSession } from "../plain-session.js";

interface ExportFlags extends CommonFlags {
	db: string;
	tenant: string;
	rows: "turns" | "sessions";
	format: RowFormat;
	out?: string;
	level?: RLevel;
	sessionLevel?: RLevel;
	endUser?: string;
	since?: string;
	until?: string;
	/** False with `--no-content`. */
	content: boolean;
}

const PAGE = 200;

/** `label export`: results as JSONL or CSV. */
export async function exportRows({ io }: CommandContext, flags: ExportFlags): Promise<void> {
	const output = createOutput(io, flags);
	const database = openDatabase(flags.db, flags.tenant);
	const writer = ROW_FORMATS[flags.format]();
	const target = flags.out === undefined ? undefined : createWriteStream(flags.out);
	let count = 0;
	try {
		if (target) await opened(target, flags.out as string);
		for (const row of flags.rows === "sessions" ? sessionRows(database, flags) : turnRows(database, flags)) {
			const text = writer.row(row);
			if (target === undefined) await output.print(text);
			else if (!target.write(text)) await once(target, "drain").catch((cause) => unwritable(flags.out as string, cause));
			count++;
		}
		if (target) {
			target.end();
			await finished(target).catch((cause) => unwritable(flags.out as string, cause));
			output.note(`${count} rows in ${flags.out}`);
		}
	} finally {
		database.close();
	}
}

/** @throws LabelError `output_unwritable` */
function opened(stream: ReturnType<typeof createWriteStream>, path: string): Promise<void> {
	return new Promise<void>((resolve, reject) => {
		stream.once("open", () => resolve());
		stream.once("error", reject);
	}).catch((cause) => unwritable(path, cause));
}

/** @throws LabelError `output_unwritable` */
function unwritable(path: string, cause: unknown): never {
	throw new LabelError("output_unwritable", `${path} can not be written; choose another --out`, { cause });
}

function* turnRows({ sessions, tenant }: ReadDatabase, flags: ExportFlags): Generator<Record<string, unknown>> {
	const filter = {
		tenant_id: tenant.id,
		r_level: flags.level,
		session_r_level: flags.sessionLevel,
		end_user_external_id: flags.endUser,
		since: toTimeFlag(flags.since, "since"),
		until: toTimeFlag(flags.until, "until"),
	};
	for (const message of sessions.messages(filter)) yield toLabelRow(message, flags.content) as unknown as Record<string, unknown>;
}

function* sessionRows({ sessions, tenant }: ReadDatabase, flags: ExportFlags): Generator<Record<string, unknown>> {
	const query = {
		order: "recent",
		limit: PAGE,
		r_level: flags.sessionLevel ?? flags.level,
		end_user_external_id: flags.endUser,
		since: toTimeFlag(flags.since, "since"),
		until: toTimeFlag(flags.until, "until"),
	} as const;
	let cursor: string | undefined;
	do {
		const page: { data: SessionRecord[]; next_cursor: string | null } = sessions.list(tenant.id, { ...query, cursor });
		for (const session of page.data) yield toPlainSession(session);
		cursor = page.next_cursor ?? undefined;
	} while (cursor !== undefined);
}
