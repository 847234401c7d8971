import { LabelError } from "../../errors.js";
import { createErasure, type Erasure } from "../../services/erasure.js";
import type { Erased } from "../../services/ports.js";
import { createTenants } from "../../services/tenants.js";
import { openStore } from "../../store/open-store.js";
import type { CommandContext } from "../command.js";
import { type CommonFlags, createOutput } from "../io.js";
import { toTimeFlag } from "../open-database.js";

interface EraseFlags extends CommonFlags {
	db: string;
	tenant: string;
	compact?: boolean;
}

/** `label forget`: erases an end user with all sessions, or one session. */
export async function forget(context: CommandContext, flags: EraseFlags & { endUser?: string; session?: string }): Promise<void> {
	const { endUser, session } = flags;
	if (endUser !== undefined && session === undefined) return erase(context, flags, (erasure, tenantId, options) => erasure.endUser(tenantId, endUser, options));
	if (session !== undefined && endUser === undefined) return erase(context, flags, (erasure, tenantId, options) => erasure.session(tenantId, session, options));
	throw new LabelError("usage", "say what to forget: either --end-user NAME or --session EXTERNAL_ID");
}

/** `label purge`: erases all sessions whose last message is older than a date. */
export function purge(context: CommandContext, flags: EraseFlags & { before: string }): Promise<void> {
	const time = toTimeFlag(flags.before, "before") as number;
	return erase(context, flags, (erasure, tenantId, options) => erasure.olderThan(tenantId, time, options));
}

async function erase(
	{ io }: CommandContext,
	flags: EraseFlags,
	work: (erasure: Erasure, tenantId: number, options: { compact?: boolean | undefined }) => Erased,
): Promise<void> {
	const output = createOutput(io, flags);
	const store = openStore(flags.db, { create: false });
	try {
		const tenant = createTenants({ store }).get(flags.tenant);
		const erased = work(createErasure({ store }), tenant.id, { compact: flags.compact });
		if (output.isJson) return await output.printJson(erased);
		await output.print(`erased ${erased.sessions} sessions with ${erased.messages} messages\n`);
		if (!flags.compact) output.note("what was erased is overwritten in the database; --compact also empties its journal and gives the space back");
	} finally {
		store.close();
	}
}
