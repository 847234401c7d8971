import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Store } from "../../src/services/ports.js";
import { createSessions } from "../../src/services/sessions.js";
import { createTenants } from "../../src/services/tenants.js";
import { type OpenStoreOptions, openStore } from "../../src/store/open-store.js";
import { createFakeScorer } from "./fake-scorer.js";
import { tempDir } from "./temp-dir.js";

/** A store in a real file; closed when the test is over. */
export function openTestStore(options: OpenStoreOptions & { path?: string } = {}): Store {
	const { path = join(tempDir(), "label.db"), ...rest } = options;
	const store = openStore(path, rest);
	onTestFinished(() => store.close());
	return store;
}

/** The time of the first call of the test clock; every call is a second later. */
export const FIRST_MOMENT = Date.UTC(2026, 0, 1);

/** Store, services with the fake scorer and a ticking clock, and the tenant `acme`. */
export function openTestServices(options: Parameters<typeof openTestStore>[0] & { keepContent?: boolean } = {}) {
	const { keepContent, ...rest } = options;
	const store = openTestStore(rest);
	let now = FIRST_MOMENT - 1000;
	const clock = () => (now += 1000);
	const scorer = createFakeScorer();
	const sessions = createSessions({ store, scorer, clock, keepContent });
	const tenants = createTenants({ store, clock });
	return { store, sessions, tenants, scorer, clock, tenantId: tenants.ensure("acme").id };
}
