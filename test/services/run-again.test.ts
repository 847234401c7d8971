import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { InputMessage } from "../../src/readers/types.js";
import { addConversation, addScoredConversation, createBatch } from "../../src/services/scored-batch.js";
import type { StoreOptions } from "../../src/services/store-conversations.js";
import { openTestServices } from "../helpers/open-test-store.js";

type Services = ReturnType<typeof openTestServices>;

const WORDS = ["hello", "uneasy", "awful", "doomed", "really?", "fine"];

function say(content: string, external_id: string | null = null): InputMessage {
	return { role: content.endsWith("?") ? "assistant" : "user", content, external_id, created_at: null };
}

function put({ sessions, tenantId }: Services, messages: InputMessage[], options: StoreOptions & { piece?: boolean; id?: string } = {}) {
	const { piece, id = "s", ...rest } = options;
	return sessions.storeConversation(tenantId, { external_id: id, end_user_external_id: "u", title: null, started_at: 1, messages, piece }, rest);
}

function texts({ sessions, tenantId }: Services, id = "s"): string[] {
	const session = sessions.find(tenantId, id);
	return session === null ? [] : [...sessions.messages({ tenant_id: tenantId, session_id: session.id })].map((each) => each.content as string);
}

/** Every row of both tables as they stand, ids included. */
function dump({ sessions, tenantId, store }: Services): unknown {
	return [sessions.list(tenantId, { limit: 200 }).data, [...store.messages.iterate({ tenant_id: tenantId })], store.sessions.findHead(tenantId, "s")];
}

describe("the run-again rule, without message ids", () => {
	it("any growing sequence of exports ends as the longest one stored at once", () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 15 }), fc.array(fc.nat(15)), (words, lengths) => {
				const messages = words.map((word) => say(word));
				const once = openTestServices();
				put(once, messages);
				const often = openTestServices();
				let stored = 0;
				for (const length of [...lengths, words.length]) {
					const outcome = put(often, messages.slice(0, length));
					const grown = Math.max(0, Math.min(length, words.length) - stored);
					expect(outcome).toMatchObject({ error: null, stored: grown, skipped: Math.min(length, words.length) - grown });
					stored += grown;
				}
				expect(dump(often)).toEqual(dump(once));
			}),
			{ numRuns: 40 },
		);
	});

	it("a contradiction is rejected with its place, nothing of the record is stored, and no message text is told", () => {
		const services = openTestServices();
		put(services, [say("hello"), say("awful"), say("fine")]);
		const before = dump(services);
		const outcome = put(services, [say("hello"), say("secret word"), say("fine"), say("more")]);
		expect(outcome).toMatchObject({ stored: 0, session_id: 1, error: { code: "session_diverges" } });
		expect(outcome.error?.message).toMatch(/"s": message 1 of the record .* stored turn 1/);
		expect(outcome.error?.message).not.toMatch(/secret|awful/);
		expect(dump(services)).toEqual(before);
	});

	it("a changed role is a contradiction too", () => {
		const services = openTestServices();
		put(services, [say("hello")]);
		expect(put(services, [{ ...say("hello"), role: "assistant" }]).error?.code).toBe("session_diverges");
	});

	it("replace puts the incoming conversation in the stored one's place, under the same session id", () => {
		const services = openTestServices();
		put(services, [say("doomed"), say("awful"), say("fine")]);
		const outcome = put(services, [say("hello"), say("uneasy")], { onConflict: "replace" });
		expect(outcome).toMatchObject({ session_id: 1, created: false, stored: 2, error: null });
		const fresh = openTestServices();
		put(fresh, [say("hello"), say("uneasy")]);
		expect(dump(services)).toEqual(dump(fresh));
	});

	it("holds without stored content", () => {
		const services = openTestServices({ keepContent: false });
		put(services, [say("hello"), say("awful")]);
		expect(put(services, [say("hello"), say("awful"), say("fine")])).toMatchObject({ stored: 1, skipped: 2, error: null });
		expect(put(services, [say("hello"), say("other")]).error?.code).toBe("session_diverges");
	});
});

describe("the run-again rule, where messages carry ids", () => {
	it("skips what is known, appends what is new wherever it stands, and rejects a known id with another text", () => {
		const services = openTestServices();
		put(services, [say("hello", "a"), say("awful", "b")]);
		expect(put(services, [say("fine", "c"), say("awful", "b"), say("uneasy", "d")])).toMatchObject({ stored: 2, skipped: 1, error: null });
		expect(texts(services)).toEqual(["hello", "awful", "fine", "uneasy"]);
		const outcome = put(services, [say("new", "e"), say("changed", "b")]);
		expect(outcome).toMatchObject({ stored: 0, error: { code: "session_diverges" } });
		expect(texts(services)).toHaveLength(4);
	});

	it("a message twice in one record counts once; two texts under one id reject the record", () => {
		const services = openTestServices();
		expect(put(services, [say("hello", "a"), say("hello", "a"), say("fine", "b")])).toMatchObject({ stored: 2, skipped: 1, error: null });
		expect(put(services, [say("hello", "x"), say("other", "x")], { id: "t" })).toMatchObject({
			stored: 0,
			session_id: null,
			error: { code: "session_diverges" },
		});
		expect(services.sessions.find(services.tenantId, "t")).toBeNull();
	});

	it("an export that got ids after it was stored without them is compared by place", () => {
		const services = openTestServices();
		put(services, [say("hello"), say("fine")]);
		expect(put(services, [say("hello", "a"), say("fine", "b"), say("awful", "c")])).toMatchObject({ stored: 1, skipped: 2, error: null });
	});

	it("a known id at a new place, among messages without ids, rejects the record instead of breaking the run", () => {
		const services = openTestServices();
		put(services, [say("hello", "a"), say("fine")]);
		expect(put(services, [say("hello", "a"), say("fine"), say("hello", "a")]).error?.code).toBe("session_diverges");
	});

	it("replace removes the stored version", () => {
		const services = openTestServices();
		put(services, [say("hello", "a"), say("awful", "b")]);
		expect(put(services, [say("hello", "a"), say("fine", "b")], { onConflict: "replace" })).toMatchObject({ stored: 2, error: null });
		expect(texts(services)).toEqual(["hello", "fine"]);
	});
});

describe("--append", () => {
	it("adds to known sessions only", () => {
		const services = openTestServices();
		expect(put(services, [say("hello")], { append: true })).toMatchObject({ session_id: null, error: { code: "session_unknown" } });
		put(services, [say("hello")]);
		expect(put(services, [say("hello"), say("awful")], { append: true })).toMatchObject({ stored: 2, error: null });
		expect(texts(services)).toEqual(["hello", "hello", "awful"]);
	});

	it("skips known ids, so that the same delta with ids may come twice", () => {
		const services = openTestServices();
		put(services, [say("hello", "a")]);
		const delta = [say("awful", "b"), say("fine", "c")];
		expect(put(services, delta, { append: true }).stored).toBe(2);
		expect(put(services, delta, { append: true })).toMatchObject({ stored: 0, skipped: 2, error: null });
	});
});

describe("pieces of sessions (a message a line)", () => {
	/** One run: every file cut into pieces, on a store opened anew, so that nothing of an earlier run is remembered but what is stored. */
	function run(services: Services, files: string[][][]): Services {
		const again = openTestServices({ path: services.store.path });
		for (const [file, pieces] of files.entries())
			for (const piece of pieces)
				expect(
					put(
						again,
						piece.map((word) => say(word)),
						{ piece: true, file },
					).error,
				).toBeNull();
		return again;
	}
	function cut(words: string[], places: number[]): string[][] {
		const sorted = [...new Set(places.map((place) => place % (words.length + 1)))].sort((a, b) => a - b);
		return [...sorted, words.length].map((end, i) => words.slice(sorted[i - 1] ?? 0, end)).filter((piece) => piece.length > 0);
	}

	it("cut anywhere, run again cut elsewhere, and longer tomorrow: always the same session", () => {
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 }),
				fc.array(fc.nat(), { maxLength: 4 }),
				fc.array(fc.nat(), { maxLength: 4 }),
				fc.nat(),
				(words, first, second, length) => {
					const services = openTestServices();
					run(services, [cut(words.slice(0, length % (words.length + 1)), first)]);
					run(services, [cut(words, first)]);
					const last = run(services, [cut(words, second)]);
					const whole = openTestServices();
					put(
						whole,
						words.map((word) => say(word)),
					);
					expect(texts(last)).toEqual(words);
					expect([...last.store.messages.iterate({ tenant_id: 1 })]).toEqual([...whole.store.messages.iterate({ tenant_id: 1 })]);
				},
			),
			{ numRuns: 30 },
		);
	});

	it("a session spread over files goes on, a session given again in a later file is not doubled, and running it all again stores nothing", () => {
		const services = openTestServices();
		const files = [
			[["hello", "awful"], ["fine"]],
			[["doomed", "uneasy"]],
			[
				["hello", "awful"],
				["fine", "doomed"],
				["uneasy", "hello"],
			],
		];
		run(services, files);
		expect(texts(services)).toEqual(["hello", "awful", "fine", "doomed", "uneasy", "hello"]);
		const before = dump(services);
		run(services, files);
		expect(dump(services)).toEqual(before);
	});

	it("replace keeps the turns before a contradiction and takes the piece's from there", () => {
		const services = openTestServices();
		put(
			services,
			["hello", "awful", "fine", "doomed"].map((word) => say(word)),
			{ piece: true },
		);
		const again = openTestServices({ path: services.store.path });
		put(again, [say("hello"), say("awful")], { piece: true, onConflict: "replace" });
		expect(put(again, [say("uneasy")], { piece: true, onConflict: "replace" })).toMatchObject({ stored: 1, error: null });
		const whole = openTestServices();
		put(
			whole,
			["hello", "awful", "uneasy"].map((word) => say(word)),
		);
		expect([...again.store.messages.iterate({ tenant_id: 1 })]).toEqual([...whole.store.messages.iterate({ tenant_id: 1 })]);
	});

	it("replace of a later piece needs the text before it, and rejects without", () => {
		const services = openTestServices({ keepContent: false });
		put(services, [say("hello"), say("awful")]);
		const again = openTestServices({ path: services.store.path, keepContent: false });
		put(again, [say("hello")], { piece: true });
		expect(put(again, [say("fine")], { piece: true, onConflict: "replace" }).error?.code).toBe("session_diverges");
		expect(again.sessions.get(1, 1).message_count).toBe(2);
	});
});

describe("storeBatch", () => {
	it("stores conversations that a worker scored from the start as if each had been stored alone", () => {
		const conversation = fc.record({
			id: fc.constantFrom("a", "b", "c", "d"),
			words: fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }),
			ids: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(conversation, { maxLength: 12 }), fc.boolean(), (conversations, keepContent) => {
				const named = conversations.map(({ id, words, ids }) => ({
					external_id: id,
					end_user_external_id: `of ${id}`,
					title: id,
					started_at: 7,
					messages: words.map((word, i) => say(word, ids ? `${id}${i}` : null)),
				}));
				const alone = openTestServices({ keepContent });
				const expected = named.map((each) => alone.sessions.storeConversation(alone.tenantId, each));
				const together = openTestServices({ keepContent });
				const batch = createBatch(1);
				for (const each of named) addScoredConversation(batch, each, { scorer: together.scorer, keepContent });
				const outcomes = together.sessions.storeBatch(together.tenantId, structuredClone(batch));
				const plain = (all: typeof outcomes) =>
					all.map(({ slices, error, ...rest }) => ({
						...rest,
						turns: slices.map(({ session_id, turn, start, end }) => [session_id, turn, end - start]),
						code: error?.code,
					}));
				expect(plain(outcomes)).toEqual(plain(expected));
				expect(dump(together)).toEqual(dump(alone));
			}),
			{ numRuns: 60 },
		);
	});

	it("leaves the labels as stored in the columns, also where a session went on", () => {
		const services = openTestServices();
		put(services, [say("doomed")]);
		const batch = createBatch(0);
		addScoredConversation(
			batch,
			{ external_id: "s", end_user_external_id: "u", title: null, started_at: 1, messages: [say("doomed"), say("really?"), say("fine")] },
			{ scorer: services.scorer, keepContent: true },
		);
		const [outcome] = services.sessions.storeBatch(services.tenantId, batch);
		expect(outcome?.slices).toEqual([{ session_id: 1, turn: 1, start: 1, end: 3 }]);
		const rows = [...services.store.messages.iterate({ tenant_id: services.tenantId })];
		expect(rows.slice(1).map((row) => [row.prs, row.session_srs])).toEqual([1, 2].map((i) => [batch.columns.prs[i], batch.columns.session_srs[i]]));
	});

	it("is one transaction: a fault stores nothing of it", () => {
		const services = openTestServices();
		const batch = createBatch(2);
		addConversation(batch, { external_id: "s", end_user_external_id: "u", title: null, started_at: 1, messages: [say("hello")] });
		addConversation(batch, { external_id: "t", end_user_external_id: "u", title: null, started_at: 1, messages: [say("hello")] });
		batch.columns.role[1] = 9;
		expect(() => services.sessions.storeBatch(services.tenantId, batch)).toThrow();
		expect(services.sessions.list(services.tenantId, { limit: 10 }).data).toEqual([]);
	});
});
