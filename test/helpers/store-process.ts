/** Stores conversations as `label run` does, as a process of its own: `store-process.ts <db> <name> <batches>`, 20 sessions a batch, and one turn to a shared session. */

import { addScoredConversation, createBatch } from "../../src/services/scored-batch.js";
import { createSessions } from "../../src/services/sessions.js";
import { createTenants } from "../../src/services/tenants.js";
import { openStore } from "../../src/store/open-store.js";
import { createFakeScorer } from "./fake-scorer.js";

const [db, name, batches] = process.argv.slice(2) as [string, string, string];
const store = openStore(db);
const scorer = createFakeScorer();
const sessions = createSessions({ store, scorer });
const tenant = createTenants({ store }).ensure("acme");
const said = (content: string, external_id: string | null = null) => ({ role: "user" as const, content, external_id, created_at: null });
for (let i = 0; i < Number(batches); i++) {
	const batch = createBatch(100);
	for (let s = 0; s < 20; s++) {
		addScoredConversation(
			batch,
			{
				external_id: `${name}-${i}-${s}`,
				end_user_external_id: `user ${s % 3}`,
				title: null,
				started_at: 1,
				messages: ["hello", "awful", `turn of ${name}`].map((content) => said(content)),
			},
			{ scorer, keepContent: true },
		);
	}
	sessions.storeBatch(tenant.id, batch);
	sessions.storeConversation(tenant.id, {
		external_id: "shared",
		end_user_external_id: "u",
		title: null,
		started_at: 1,
		messages: [said(`${name} ${i}`, `${name} ${i}`)],
	});
}
store.close();
