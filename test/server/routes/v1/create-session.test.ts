import { describe, expect, it } from "vitest";
import { startTestServer } from "../../../helpers/start-test-server.js";

const PATH = "/api/v1/sessions";

describe("POST /api/v1/sessions: happy", () => {
	it("makes a session with level R0, no risk and status active", async () => {
		const { call } = await startTestServer();
		const before = Date.now();
		const { status, body, headers } = await call("POST", PATH, { body: { external_id: "chat-1", end_user_external_id: "user-1", title: "First" } });
		expect(status).toBe(201);
		expect(headers.get("idempotent-replayed")).toBeNull();
		expect(body).toEqual({
			id: expect.any(Number),
			external_id: "chat-1",
			end_user_id: expect.any(Number),
			end_user_external_id: "user-1",
			title: "First",
			started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
			last_message_at: body.started_at,
			r_level: "R0",
			srs: null,
			status: "active",
			message_count: 0,
		});
		expect(Date.parse(body.started_at)).toBeGreaterThanOrEqual(before);
	});

	it("gives the stored session back unchanged for the same external_id, whatever else the body says, also after messages", async () => {
		const { call, append } = await startTestServer();
		const first = await call("POST", PATH, { body: { external_id: "chat-1", end_user_external_id: "user-1" } });
		const second = await call("POST", PATH, { body: { external_id: "chat-1", end_user_external_id: "somebody else", title: "New" } });
		expect(second).toMatchObject({ status: 200, text: first.text });
		expect(second.headers.get("idempotent-replayed")).toBe("true");
		await append(first.body.id, { role: "user", content: "awful" });
		const third = await call("POST", PATH, { body: { external_id: "chat-1", end_user_external_id: "user-1" } });
		expect(third.body).toMatchObject({ id: first.body.id, r_level: "R1-high", srs: 0.6, message_count: 1 });
		expect((await call("GET", PATH)).body.data).toHaveLength(1);
	});

	it("invents a UUID where external_id is omitted or null", async () => {
		const { call } = await startTestServer();
		for (const body of [{ end_user_external_id: "u" }, { end_user_external_id: "u", external_id: null, title: null }]) {
			const answer = await call("POST", PATH, { body });
			expect(answer.status).toBe(201);
			expect(answer.body.external_id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
			expect(answer.body.title).toBeNull();
		}
	});

	it("makes one session of many simultaneous requests for one external_id", async () => {
		const { call } = await startTestServer();
		const answers = await Promise.all(Array.from({ length: 30 }, () => call("POST", PATH, { body: { external_id: "same", end_user_external_id: "u" } })));
		expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
	});
});

describe("POST /api/v1/sessions: error", () => {
	it.each([
		["no end user", {}, "end_user_external_id"],
		["an empty end user", { end_user_external_id: "" }, "end_user_external_id"],
		["a number as end user", { end_user_external_id: 7 }, "end_user_external_id"],
		["an empty external id", { end_user_external_id: "u", external_id: "" }, "external_id"],
		["an overlong external id", { end_user_external_id: "u", external_id: "x".repeat(513) }, "external_id"],
		["half a surrogate pair in an id", { end_user_external_id: "u", external_id: "\ud800" }, "external_id"],
		["a list as title", { end_user_external_id: "u", title: [] }, "title"],
		["a list as body", [], null],
		["null as body", null, null],
	])("%s is 400 and names the field", async (_name, sent, param) => {
		const { call } = await startTestServer();
		const { status, body } = await call("POST", PATH, { body: sent === null ? "null" : sent });
		expect(status).toBe(400);
		expect(body.error).toMatchObject({ type: "invalid_request_error", code: "invalid_request", param });
		expect((await call("GET", PATH)).body.data).toEqual([]);
	});
});

describe("POST /api/v1/sessions: security", () => {
	it("the same external_id of two tenants names two sessions", async () => {
		const { call, keys } = await startTestServer();
		const body = { external_id: "shared", end_user_external_id: "shared" };
		const acme = await call("POST", PATH, { body });
		const beta = await call("POST", PATH, { body, key: keys.beta });
		expect([acme.status, beta.status]).toEqual([201, 201]);
		expect(beta.body.id).not.toBe(acme.body.id);
		expect(beta.body.end_user_id).not.toBe(acme.body.end_user_id);
	});

	it("hostile text is data", async () => {
		const { call } = await startTestServer();
		const hostile = `"; DROP TABLE sessions; -- <script>alert(1)</script> \u0000 \u001b[31m \u202e =cmd()`;
		const { status, body } = await call("POST", PATH, { body: { external_id: hostile, end_user_external_id: hostile, title: hostile } });
		expect(status).toBe(201);
		expect(body).toMatchObject({ external_id: hostile, end_user_external_id: hostile, title: hostile });
		expect((await call("GET", `${PATH}?end_user_external_id=${encodeURIComponent(hostile)}`)).body.data).toEqual([body]);
	});

	it("__proto__ in the body changes nothing", async () => {
		const { call } = await startTestServer();
		const { status } = await call("POST", PATH, { body: '{"end_user_external_id":"u","__proto__":{"title":"polluted"},"constructor":{"prototype":{"x":1}}}' });
		expect(status).toBe(201);
		expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
	});
});
