import { LabelError } from "../../errors.js";
import { openScorer } from "../../lexicon/open-scorer.js";
import { mergeSessions } from "../../services/merge.js";
import { createSessions } from "../../services/sessions.js";
import { createTenants } from "../../services/tenants.js";
import { openStore } from "../../store/open-store.js";
import type { CommandContext } from "../command.js";
import { EXIT } from "../exit-status.js";
import { type CommonFlags, createOutput } from "../io.js";
import { createProgress } from "../progress.js";
import { type ScorerFlags, scorerOf } from "../scorer-flags.js";

interface MergeFlags extends CommonFlags, ScorerFlags {
	into: string;
	allowRejects?: boolean;
}

/** `label merge`: joins databases, e.g. those of `label run --shard`, by the run-again rule. */
export async function merge({ io, setStatus }: CommandContext, flags: MergeFlags, databases: string[]): Promise<void> {
	const output = createOutput(io, flags);
	if (databases.includes(flags.into)) throw new LabelError("usage", `${flags.into} can not be merged into itself`, { param: "into" });
	const targetStore = openStore(flags.into);
	const target = createSessions({ store: targetStore, scorer: scorerOf(flags) });
	const progress = await createProgress(io, output.isQuiet, "turns");
	const counts = { databases: databases.length, sessions: 0, stored: 0, skipped: 0, rejected: 0 };
	try {
		for (const path of databases) {
			const store = openStore(path, { create: false });
			try {
				const source = createSessions({ store, scorer: openScorer({ modelFile: null }) });
				for (const tenant of createTenants({ store }).list()) {
					for (const { stored, skipped, error } of mergeSessions(source, tenant, target, createTenants({ store: targetStore }).ensure(tenant.name))) {
						counts.sessions++;
						counts.stored += stored;
						counts.skipped += skipped;
						if (error !== null) {
							counts.rejected++;
							output.warn(`${path}: ${error.message}`);
						}
						progress.update(counts.stored + counts.skipped);
					}
				}
			} finally {
				store.close();
			}
		}
	} finally {
		progress.stop();
		targetStore.close();
	}
	if (output.isJson) await output.printJson({ into: flags.into, ...counts });
	else
		await output.print(
			`${counts.sessions} sessions of ${counts.databases} databases into ${flags.into}: ${counts.stored} turns stored, ${counts.skipped} already stored, ${counts.rejected} sessions rejected\n`,
		);
	if (counts.rejected > 0 && !flags.allowRejects) setStatus(EXIT.rejected);
}
