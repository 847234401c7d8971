import { describe, expect, it } from "vitest";
import { SIGNALS } from "../../../../src/types.js";
import { createFakeScorer } from "../../../helpers/fake-scorer.js";
import { startTestServer, withoutRequestId } from "../../../helpers/start-test-server.js";

describe("POST /api/v1/sessions/{id}/messages: happy", () => {
	it("answers with the label of the fold, complete", async () => {
		const { append, newSession } = await startTestServer();
		const id = await newSession();
		const scorer = createFakeScorer();
		let state = scorer.start();
		for (const turn of [
			{ role: "assistant", content: "all well?" },
			{ role: "user", content: "awful and doomed" },
			{ role: "tool", content: "{}" },
			{ role: "system", content: "x" },
		] as const) {
			const expected = scorer.step(state, turn);
			state = expected.state;
			const { status, body } = await append(id, turn);
			expect(status).toBe(201);
			const { id: messageId, session_id, external_id, role, created_at, ...label } = body;
			expect(label).toEqual(expected.label);
			expect(Object.keys(body.scores)).toEqual(SIGNALS);
			expect({ session_id, external_id, role }).toEqual({ session_id: id, external_id: null, role: turn.role });
			expect(messageId).toEqual(expect.any(Number));
			expect(created_at).toMatch(/Z$/);
		}
	});

	it("replays a message of the same external_id with 200 and the header, to the byte", async () => {
		const { append, newSession, call } = await startTestServer();
		const id = await newSession();
		const first = await append(id, { role: "user", content: "awful", external_id: "m" });
		await append(id, { role: "user", content: "later" });
		const second = await append(id, { role: "user", content: "awful", external_id: "m" });
		expect([first.status, second.status]).toEqual([201, 200]);
		expect(second.headers.get("idempotent-replayed")).toBe("true");
		expect(second.text).toBe(first.text);
		expect((await call("GET", `/api/v1/sessions/${id}`)).body.message_count).toBe(2);
	});

	it("stores every one of many simultaneous appends to one session, and a repeated one once", async () => {
		const { append, newSession, call } = await startTestServer();
		const id = await newSession();
		const answers = await Promise.all(
			Array.from({ length: 60 }, (_, i) => append(id, { role: "user", content: `message ${i % 40}`, external_id: `m${i % 40}` })),
		);
		expect(answers.filter(({ status }) => status === 201)).toHaveLength(40);
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
		const { messages } = (await call("GET", `/api/v1/sessions/${id}`)).body;
		expect(messages.map((message: { external_id: string }) => message.external_id).sort()).toEqual(Array.from({ length: 40 }, (_, i) => `m${i}`).sort());
	});

	it("takes the same external_id in two sessions for two messages", async () => {
		const { append, newSession } = await startTestServer();
		for (const id of [await newSession(), await newSession()])
			expect((await append(id, { role: "user", content: `in ${id}`, external_id: "m" })).status).toBe(201);
	});

	it("keeps neither text nor evidence text when told so", async () => {
		const { append, newSession, call } = await startTestServer({ keepContent: false });
		const id = await newSession();
		const { body } = await append(id, { role: "user", content: "awful secret" });
		expect(body.evidence).toEqual([expect.not.objectContaining({ text: expect.anything() })]);
		expect((await call("GET", `/api/v1/sessions/${id}`)).body.messages[0]).toMatchObject({ content: null, prs: 0.6 });
	});
});

describe("POST /api/v1/sessions/{id}/messages: error", () => {
	it.each([
		["no role", { content: "x" }, "role"],
		["an unknown role", { role: "bot", content: "x" }, "role"],
		["no content", { role: "user" }, "content"],
		["empty content", { role: "user", content: "" }, "content"],
		["content in parts", { role: "user", content: [{ type: "text", text: "x" }] }, "content"],
		["a time without a zone", { role: "user", content: "x", created_at: "2026-01-01T00:00:00" }, "created_at"],
		["a day that is none", { role: "user", content: "x", created_at: "2026-02-30T00:00:00Z" }, "created_at"],
		["a year beyond 9999", { role: "user", content: "x", created_at: "9999-12-31T23:59:59-01:00" }, "created_at"],
		["a number as time", { role: "user", content: "x", created_at: 1 }, "created_at"],
		["an empty external id", { role: "user", content: "x", external_id: "" }, "external_id"],
	])("%s is 400, names the field, and stores nothing", async (_name, sent, param) => {
		const { append, newSession, call } = await startTestServer();
		const id = await newSession();
		const { status, body } = await append(id, sent);
		expect(status).toBe(400);
		expect(body.error).toMatchObject({ code: "invalid_request", param });
		expect((await call("GET", `/api/v1/sessions/${id}`)).body.message_count).toBe(0);
	});

	it("another role or content under a known external_id is 409", async () => {
		const { append, newSession } = await startTestServer();
		const id = await newSession();
		await append(id, { role: "user", content: "one", external_id: "m" });
		for (const other of [
			{ role: "user", content: "two", external_id: "m" },
			{ role: "assistant", content: "one", external_id: "m" },
		]) {
			const { status, body } = await append(id, other);
			expect(status).toBe(409);
			expect(body.error).toMatchObject({ code: "conflict", param: "external_id" });
		}
	});

	it("too long a content or body is 413", async () => {
		const { append, newSession } = await startTestServer();
		const id = await newSession();
		expect((await append(id, { role: "user", content: "x".repeat(500_000) })).status).toBe(201);
		expect(await append(id, { role: "user", content: "x".repeat(500_001) })).toMatchObject({
			status: 413,
			body: { error: { code: "too_large", param: "content" } },
		});
		expect(await append(id, { role: "user", content: "x".repeat(3_000_000) })).toMatchObject({ status: 413, body: { error: { code: "too_large" } } });
	});

	it("an unknown session, an id that is none and another tenant's session give the same 404, whatever the body", async () => {
		const { append, newSession, call, keys } = await startTestServer();
		const foreign = await newSession(keys.beta);
		const good = { role: "user", content: "x" };
		const answers = [
			await append(foreign, good),
			await append(foreign, {}),
			await append(999, good),
			await append(999, {}),
			await call("POST", "/api/v1/sessions/abc/messages", { body: good }),
		];
		for (const answer of answers) {
			expect(answer.status).toBe(404);
			expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] as (typeof answers)[0]));
		}
	});
});

describe("POST /api/v1/sessions/{id}/messages: security", () => {
	it("neither answers nor log lines of errors repeat what was said", async () => {
		const { append, newSession, call, finalLog } = await startTestServer();
		const id = await newSession();
		const secret = "kxq-secret-words";
		const answers = [
			await append(id, { role: secret, content: secret }),
			await append(id, { role: "user", content: 5, external_id: secret.repeat(100) }),
			await append(id, `{"role":"user","content":"${secret}"`),
			await call("POST", `/api/v1/sessions/${id}/messages`, { body: `${secret}\n`, headers: { "Content-Type": "application/x-ndjson" } }),
		];
		for (const { text } of answers) expect(text).not.toContain(secret);
		await append(id, { role: "user", content: secret });
		const log = (await finalLog()).join("");
		expect(log).toContain('"status":400');
		expect(log).not.toContain(secret);
	});

	it("deeply nested JSON is an ordinary bad request", async () => {
		const { append, newSession } = await startTestServer();
		const id = await newSession();
		const deep = "[".repeat(400_000) + "]".repeat(400_000);
		expect((await append(id, deep)).status).toBe(400);
		expect((await append(id, `{"role":"user","content":"x","extra":${"[".repeat(5000)}${"]".repeat(5000)}}`)).status).toBe(201);
	});
});
