import fc from "fast-check";
import { expect, test } from "vitest";
import { RunTally } from "../../src/services/run-tally.js";
import { addScoredConversation, createBatch } from "../../src/services/scored-batch.js";
import { createSessions } from "../../src/services/sessions.js";
import { openTestServices, openTestStore } from "../helpers/open-test-store.js";

const words = fc.constantFrom("hello", "awful", "uneasy", "1234", "doomed");
const conversation = fc.record({ id: fc.constantFrom("a", "b", "c", "d"), texts: fc.array(words, { minLength: 1, maxLength: 4 }), piece: fc.boolean() });

function batchOf(conversations: readonly { id: string; texts: string[]; piece: boolean }[], scorer: Parameters<typeof addScoredConversation>[2]["scorer"]) {
	const batch = createBatch(8);
	for (const { id, texts, piece } of conversations) {
		const messages = texts.map((content) => ({ role: "user" as const, content, external_id: null, created_at: null }));
		addScoredConversation(batch, { external_id: id, end_user_external_id: "u", title: null, started_at: 1, messages, piece }, { scorer, keepContent: true });
	}
	return batch;
}

test("property: what a run counts is what the database counts", () => {
	fc.assert(
		fc.property(fc.array(fc.array(conversation, { maxLength: 6 }), { maxLength: 4 }), (batches) => {
			const { store, sessions, scorer, tenantId } = openTestServices();
			const tally = new RunTally(store, tenantId);
			for (const conversations of batches) {
				const batch = batchOf(conversations, scorer);
				tally.add(batch.columns, sessions.storeBatch(tenantId, batch));
			}
			expect(tally.summary()).toEqual(sessions.summary(tenantId));
		}),
		{ numRuns: 30 },
	);
});

test("sessions that were there before, and those that others store meanwhile, are counted too", () => {
	const { store, sessions, scorer, tenantId } = openTestServices();
	const first = new RunTally(store, tenantId);
	const store2 = openTestStore({ path: store.path });
	const other = createSessions({ store: store2, scorer });
	other.storeBatch(tenantId, batchOf([{ id: "theirs", texts: ["doomed"], piece: false }], scorer));
	const mine = batchOf([{ id: "mine", texts: ["awful"], piece: false }], scorer);
	first.add(mine.columns, sessions.storeBatch(tenantId, mine));
	expect(first.summary()).toEqual(sessions.summary(tenantId));
	expect(first.summary()).toMatchObject({ sessions: 2, turns: 2 });
	const second = new RunTally(store, tenantId);
	const more = batchOf([{ id: "more", texts: ["hello", "awful"], piece: false }], scorer);
	second.add(more.columns, sessions.storeBatch(tenantId, more));
	expect(second.summary()).toMatchObject({ sessions: 3, turns: 4 });
});
