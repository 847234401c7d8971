import { LabelError } from "../errors.js";
import type { Erased, Store } from "./ports.js";

interface EraseOptions {
	/** Also rewrite the file without the freed space and empty the journal. Default false. */
	compact?: boolean | undefined;
}

/** Erasure of people's data: `label forget`, `label purge`. */
export type Erasure = ReturnType<typeof createErasure>;

/**
 * Makes the service of erasure over a store. What is erased is overwritten in the file; `compact` also gives the space back and empties the journal,
 * which takes time in proportion to the whole database and needs no other writer meanwhile.
 */
export function createErasure({ store }: { store: Store }) {
	function erase(work: () => Erased, { compact = false }: EraseOptions): Erased {
		const erased = store.transaction(work);
		if (compact) store.erasure.compact();
		return erased;
	}

	return {
		/** The session of that external id. @throws LabelError `not_found` when the tenant has no such session */
		session(tenantId: number, externalId: string, options: EraseOptions = {}): Erased {
			return erase(() => {
				const session = store.sessions.find(tenantId, externalId);
				if (session === null) throw new LabelError("not_found", "there is no session of that external id");
				return store.erasure.session(tenantId, session.id);
			}, options);
		},

		/** The end user with all sessions; zero counts when the tenant has no such end user. */
		endUser(tenantId: number, externalId: string, options: EraseOptions = {}): Erased {
			return erase(() => store.erasure.endUser(tenantId, externalId), options);
		},

		/** All sessions whose last message is older than `time` (milliseconds since 1970 UTC). */
		olderThan(tenantId: number, time: number, options: EraseOptions = {}): Erased {
			return erase(() => store.erasure.olderThan(tenantId, time), options);
		},
	};
}
