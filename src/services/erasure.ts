import { LabelError } from "../errors.js";
import type { Erased, Store } from "./ports.js";

/** Erasure of people's data: `label forget`, `label purge`. */
export type Erasure = ReturnType<typeof createErasure>;

/**
 * Makes the service of erasure over a store. What is erased is overwritten in the file; `compact: true` also gives the space back and empties the
 * journal, which takes time in proportion to the whole database and needs no other writer meanwhile.
 */
export function createErasure({ store }: { store: Store }) {
	function erase(work: () => Erased, options: { compact?: boolean | undefined }): Erased {
		const erased = store.transaction(work);
		if (options.compact) store.erasure.compact();
		return erased;
	}

	return {
		/** @throws LabelError `not_found` when there is no such session or it is another tenant's */
		session(tenantId: number, id: number, options: { compact?: boolean | undefined } = {}): Erased {
			const erased = erase(() => store.erasure.session(tenantId, id), options);
			if (erased.sessions === 0) throw new LabelError("not_found", `there is no session ${id}`);
			return erased;
		},

		/** The end user with all sessions; zero counts when the tenant has no such end user. */
		endUser(tenantId: number, externalId: string, options: { compact?: boolean | undefined } = {}): Erased {
			return erase(() => store.erasure.endUser(tenantId, externalId), options);
		},

		/** All sessions whose last message is older than `time` (milliseconds since 1970 UTC). */
		olderThan(tenantId: number, time: number, options: { compact?: boolean | undefined } = {}): Erased {
			return erase(() => store.erasure.olderThan(tenantId, time), options);
		},
	};
}
