import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { InputMessage } from "../../src/readers/types.js";
import { R_LEVELS, type Role } from "../../src/types.js";
import { FIRST_MOMENT, openTestServices } from "../helpers/open-test-store.js";

function say(content: string, extra: Partial<InputMessage> = {}): InputMessage {
	return { role: "user", content, external_id: null, created_at: null, ...extra };
}

const anyMessage = fc.record({
	role: fc.constantFrom<Role>("user", "assistant", "system", "tool"),
	content: fc.oneof(
		fc.constantFrom("hello", "so uneasy", "awful", "doomed", "really?"),
		fc.string({ unit: "binary", minLength: 1 }),
		fc.string({ unit: "grapheme", minLength: 1 }),
	),
	external_id: fc.constant(null),
	created_at: fc.option(fc.integer({ min: 0, max: 4e12 })),
});

describe("create", () => {
	it("makes an active session with level R0 and without a risk, and gives it back unchanged ever after", () => {
		const { sessions, tenantId } = openTestServices();
		const first = sessions.create(tenantId, { external_id: "s", end_user_external_id: "u", title: "T" });
		expect(first.created).toBe(true);
		expect(first.session).toMatchObject({
			external_id: "s",
			end_user_external_id: "u",
			title: "T",
			started_at: FIRST_MOMENT + 1000,
			last_message_at: FIRST_MOMENT + 1000,
			r_level: "R0",
			srs: null,
			status: "active",
			message_count: 0,
		});
		expect(sessions.create(tenantId, { external_id: "s", end_user_external_id: "other", title: "U" })).toEqual({ session: first.session, created: false });
	});

	it("invents an external id where none is given, and shares end users between sessions of a tenant only", () => {
		const { sessions, tenants, tenantId } = openTestServices();
		const one = sessions.create(tenantId, { end_user_external_id: "u" }).session;
		const two = sessions.create(tenantId, { end_user_external_id: "u" }).session;
		const other = sessions.create(tenants.ensure("beta").id, { end_user_external_id: "u" }).session;
		expect(one.external_id).toMatch(/^[0-9a-f-]{36}$/);
		expect(two.external_id).not.toBe(one.external_id);
		expect(two.end_user_id).toBe(one.end_user_id);
		expect(other.end_user_id).not.toBe(one.end_user_id);
	});
});

describe("append", () => {
	it("stores what the fold says, to the letter, for any text", () => {
		fc.assert(
			fc.property(fc.array(anyMessage, { minLength: 1, maxLength: 12 }), (messages) => {
				const { sessions, tenantId, scorer } = openTestServices();
				const { session } = sessions.create(tenantId, { end_user_external_id: "u" });
				let state = scorer.start();
				for (const [turn, message] of messages.entries()) {
					const { message: stored, replayed } = sessions.append(tenantId, session.id, message);
					const expected = scorer.step(state, message);
					state = expected.state;
					expect(replayed).toBe(false);
					expect(stored.turn).toBe(turn);
					expect(stored.content).toBe(message.content);
					expect(stored.label).toEqual(expected.label);
				}
				const last = state.srs ?? 0;
				expect(sessions.get(tenantId, session.id)).toMatchObject({ message_count: messages.length, srs: last });
				expect([...sessions.messages({ tenant_id: tenantId, session_id: session.id })].map((each) => each.content)).toEqual(
					messages.map((each) => each.content),
				);
			}),
			{ numRuns: 40 },
		);
	});

	it("replaces unpaired surrogates before scoring, and offsets still hold", () => {
		const { sessions, tenantId } = openTestServices();
		const { session } = sessions.create(tenantId, { end_user_external_id: "u" });
		const { message } = sessions.append(tenantId, session.id, say("\ud83d so awful \udc00 \u{1f600}"));
		expect(message.content).toBe("\ufffd so awful \ufffd \u{1f600}");
		const [piece] = message.label.evidence;
		expect(message.content?.slice(piece?.start, piece?.end)).toBe("awful");
	});

	it("is idempotent on the external id, and refuses another role or text under it", () => {
		const { sessions, tenantId } = openTestServices();
		const { session } = sessions.create(tenantId, { end_user_external_id: "u" });
		const first = sessions.append(tenantId, session.id, say("awful", { external_id: "m1" }));
		expect(sessions.append(tenantId, session.id, say("awful", { external_id: "m1", created_at: 5 }))).toMatchObject({ ...first, replayed: true });
		for (const other of [say("Awful", { external_id: "m1" }), say("awful", { external_id: "m1", role: "assistant" })]) {
			expect(() => sessions.append(tenantId, session.id, other)).toThrow(expect.objectContaining({ code: "conflict", param: "external_id" }));
		}
		expect(sessions.get(tenantId, session.id).message_count).toBe(1);
	});

	it("dates the session by its latest message", () => {
		const { sessions, tenantId } = openTestServices();
		const { session } = sessions.create(tenantId, { end_user_external_id: "u" });
		const times = [5000, 9000, 7000].map((created_at) => {
			sessions.append(tenantId, session.id, say("x", { created_at }));
			return sessions.get(tenantId, session.id).last_message_at;
		});
		expect(times).toEqual([5000, 9000, 9000]);
	});

	it("tells neither an unknown session nor another tenant's from the other", () => {
		const { sessions, tenants, tenantId } = openTestServices();
		const { session } = sessions.create(tenantId, { end_user_external_id: "u" });
		const other = tenants.ensure("beta").id;
		const errors = [
			() => sessions.append(other, session.id, say("x")),
			() => sessions.append(other, 999, say("x")),
			() => sessions.get(other, session.id),
			() => sessions.get(other, 999),
		].map((act) => {
			try {
				act();
				return null;
			} catch (error) {
				return error;
			}
		});
		for (const error of errors) expect(error).toMatchObject({ code: "not_found", message: "no such session" });
		expect(sessions.get(tenantId, session.id).message_count).toBe(0);
	});

	it("of many goes on after a message at fault", () => {
		const { sessions, tenantId } = openTestServices();
		const { session } = sessions.create(tenantId, { end_user_external_id: "u" });
		const results = sessions.appendMany(tenantId, session.id, [
			say("one", { external_id: "a" }),
			say("other", { external_id: "a" }),
			say("one", { external_id: "a" }),
			say("two"),
		]);
		expect(results.map((result) => (result instanceof Error ? result.code : [result.turn, result.replayed]))).toEqual([
			[0, false],
			"conflict",
			[0, true],
			[1, false],
		]);
	});

	it("keeps neither text nor evidence text without content, and still knows a repeated message", () => {
		const { sessions, tenantId, store } = openTestServices({ keepContent: false });
		const { session } = sessions.create(tenantId, { end_user_external_id: "u" });
		const { message } = sessions.append(tenantId, session.id, say("awful secret", { external_id: "m" }));
		expect(message.content).toBeNull();
		expect(message.label.evidence).toEqual([{ signal: "anxiety", start: 0, end: 5, rule: "fake.awful", modifiers: ["intensity:up"], contribution: 0.6 }]);
		expect(JSON.stringify([...store.messages.iterate({ tenant_id: tenantId })])).not.toMatch(/secret|"awful/);
		expect(sessions.append(tenantId, session.id, say("awful secret", { external_id: "m" })).replayed).toBe(true);
	});
});

describe("list", () => {
	it("pages through every order and filter without losing or repeating a session, new ones coming in between", () => {
		fc.assert(
			fc.property(
				fc.array(fc.record({ user: fc.constantFrom("a", "b"), word: fc.constantFrom("", "uneasy", "awful", "doomed"), time: fc.integer({ min: 1, max: 4 }) }), {
					maxLength: 25,
				}),
				fc.integer({ min: 1, max: 7 }),
				fc.constantFrom("recent" as const, "risk" as const),
				fc.option(fc.constantFrom(...R_LEVELS), { nil: undefined }),
				fc.option(fc.constantFrom("a", "b"), { nil: undefined }),
				(made, limit, order, r_level, end_user_external_id) => {
					const { sessions, tenantId } = openTestServices();
					for (const [i, { user, word, time }] of made.entries()) {
						sessions.storeConversation(tenantId, {
							external_id: `s${i}`,
							end_user_external_id: user,
							title: null,
							started_at: time,
							messages: word ? [say(word, { created_at: time })] : [],
						});
					}
					const all = sessions.list(tenantId, { limit: 200, order }).data;
					expect(all).toHaveLength(made.length);
					const key = (session: (typeof all)[number]) => (order === "recent" ? session.last_message_at : (session.srs ?? -1));
					expect(all).toEqual([...all].sort((x, y) => key(y) - key(x) || y.id - x.id));
					const expected = all.filter(
						(each) =>
							(r_level === undefined || R_LEVELS.indexOf(each.r_level) >= R_LEVELS.indexOf(r_level)) &&
							(end_user_external_id === undefined || each.end_user_external_id === end_user_external_id),
					);
					const paged = [];
					let cursor: string | undefined;
					do {
						const page = sessions.list(tenantId, { limit, order, r_level, end_user_external_id, cursor });
						paged.push(...page.data);
						expect(page.has_more).toBe(page.next_cursor !== null);
						cursor = page.next_cursor ?? undefined;
					} while (cursor !== undefined);
					expect(paged).toEqual(expected);
				},
			),
			{ numRuns: 40 },
		);
	});

	it("finds text in messages, titles and external ids, taking wildcards literally", () => {
		const { sessions, tenantId } = openTestServices();
		const make = (external_id: string, title: string | null, text: string) =>
			sessions.storeConversation(tenantId, { external_id, end_user_external_id: "u", title, started_at: 1, messages: [say(text)] });
		make("s1", null, "about a Bicycle");
		make("s2", "bicycle repair", "x");
		make("bicycle-3", null, "x");
		make("s4", null, "100% sure");
		const find = (text: string) => sessions.list(tenantId, { limit: 10, text }).data.map((each) => each.external_id);
		expect(find("bicycle").sort()).toEqual(["bicycle-3", "s1", "s2"]);
		expect(find("0% s")).toEqual(["s4"]);
		expect(find("%")).toEqual(["s4"]);
		expect(find("_icycle")).toEqual([]);
		expect(find("' OR 1=1 --")).toEqual([]);
	});

	it("narrows by time", () => {
		const { sessions, tenantId } = openTestServices();
		for (const time of [10, 20, 30])
			sessions.storeConversation(tenantId, { external_id: `s${time}`, end_user_external_id: "u", title: null, started_at: time, messages: [] });
		expect(sessions.list(tenantId, { limit: 10, since: 20 }).data.map((each) => each.external_id)).toEqual(["s30", "s20"]);
		expect(sessions.list(tenantId, { limit: 10, since: 10, until: 30 }).data.map((each) => each.external_id)).toEqual(["s20", "s10"]);
	});

	it("refuses a cursor of its own making only", () => {
		const { sessions, tenantId } = openTestServices();
		sessions.create(tenantId, { end_user_external_id: "u" });
		sessions.create(tenantId, { end_user_external_id: "u" });
		const cursor = sessions.list(tenantId, { limit: 1 }).next_cursor as string;
		expect(() => sessions.list(tenantId, { limit: 1, order: "risk", cursor })).toThrow(expect.objectContaining({ code: "invalid_request", param: "cursor" }));
		fc.assert(
			fc.property(fc.string(), (text) => {
				expect(() => sessions.list(tenantId, { limit: 1, cursor: text })).toThrow(expect.objectContaining({ code: "invalid_request", param: "cursor" }));
			}),
		);
	});
});

describe("messages", () => {
	it("are read by level, session level, end user and time", () => {
		const { sessions, tenantId } = openTestServices();
		sessions.storeConversation(tenantId, {
			external_id: "s1",
			end_user_external_id: "a",
			title: null,
			started_at: 1,
			messages: [say("hello", { created_at: 1 }), say("doomed", { created_at: 2 })],
		});
		sessions.storeConversation(tenantId, {
			external_id: "s2",
			end_user_external_id: "b",
			title: null,
			started_at: 5,
			messages: [say("uneasy"), say("fine", { created_at: 9 })],
		});
		const read = (filter: object) => [...sessions.messages({ tenant_id: tenantId, ...filter })].map((each) => each.content);
		expect(read({})).toEqual(["hello", "doomed", "uneasy", "fine"]);
		expect(read({ r_level: "R1-mid" })).toEqual(["doomed", "uneasy"]);
		expect(read({ session_r_level: "R2" })).toEqual(["hello", "doomed"]);
		expect(read({ end_user_external_id: "b" })).toEqual(["uneasy", "fine"]);
		expect(read({ since: 2, until: 9 })).toEqual(["doomed"]);
		expect(read({ since: 9 })).toEqual(["uneasy", "fine"]);
		expect([...sessions.messages({ tenant_id: tenantId + 1 })]).toEqual([]);
	});

	it("of a session longer than a page come all, once, in order", () => {
		const { sessions, tenantId } = openTestServices();
		const messages = Array.from({ length: 2500 }, (_, i) => say(`turn ${i}`));
		const { session_id } = sessions.storeConversation(tenantId, { external_id: "long", end_user_external_id: "u", title: null, started_at: 1, messages });
		expect([...sessions.messages({ tenant_id: tenantId, session_id: session_id as number })].map((each) => each.content)).toEqual(
			messages.map((each) => each.content),
		);
	});
});

describe("summary", () => {
	it("counts one tenant's sessions and turns by level, signal and coverage", () => {
		const { sessions, tenants, tenantId } = openTestServices();
		sessions.storeConversation(tenantId, {
			external_id: "s1",
			end_user_external_id: "a",
			title: null,
			started_at: 1,
			messages: [say("doomed"), say("doomed"), say("1234")],
		});
		sessions.storeConversation(tenantId, { external_id: "s2", end_user_external_id: "a", title: null, started_at: 1, messages: [say("awful"), say("uneasy")] });
		sessions.storeConversation(tenants.ensure("beta").id, {
			external_id: "s1",
			end_user_external_id: "a",
			title: null,
			started_at: 1,
			messages: [say("doomed")],
		});
		expect(sessions.summary(tenantId)).toEqual({
			sessions: 2,
			turns: 5,
			sessions_by_level: [0, 0, 1, 1],
			turns_by_level: [1, 1, 1, 2],
			turns_by_signal: [2, 1, 0, 0, 0, 0, 0, 0, 0, 0],
			sessions_by_signal: [2, 1, 0, 0, 0, 0, 0, 0, 0, 0],
			turns_by_coverage: [4, 0, 1],
		});
		expect(sessions.summary(999)).toMatchObject({ sessions: 0, turns: 0, turns_by_coverage: [0, 0, 0] });
	});
});
