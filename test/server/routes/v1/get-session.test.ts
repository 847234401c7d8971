import { describe, expect, it } from "vitest";
import { startTestServer, withoutRequestId } from "../../../helpers/start-test-server.js";

describe("GET /api/v1/sessions/{id}: happy", () => {
	it("gives the session with all its messages, each with all scoring fields", async () => {
		const { call, append, newSession } = await startTestServer();
		const id = await newSession();
		const first = await append(id, { role: "user", content: "so uneasy", external_id: "m1", created_at: "2026-01-02T03:04:05+01:00" });
		await append(id, { role: "assistant", content: "really?" });
		const { status, body } = await call("GET", `/api/v1/sessions/${id}`);
		expect(status).toBe(200);
		expect(body).toMatchObject({ id, r_level: "R1-mid", srs: 0.3, message_count: 2 });
		expect(body.messages).toHaveLength(2);
		const { session_id, ...scored } = first.body;
		expect(session_id).toBe(id);
		expect(body.messages[0]).toEqual({ ...scored, content: "so uneasy", created_at: "2026-01-02T02:04:05.000Z" });
		expect(body.messages[1]).toMatchObject({ role: "assistant", external_id: null, content: "really?" });
	});

	it("gives an empty list before the first message", async () => {
		const { call, newSession } = await startTestServer();
		expect((await call("GET", `/api/v1/sessions/${await newSession()}`)).body.messages).toEqual([]);
	});

	it("gives a long session whole", async () => {
		const { call, newSession } = await startTestServer();
		const id = await newSession();
		const lines = Array.from({ length: 3000 }, (_, i) => JSON.stringify({ role: "user", content: `turn ${i} ${"x".repeat(100)}` })).join("\n");
		await call("POST", `/api/v1/sessions/${id}/messages`, { body: lines, headers: { "Content-Type": "application/x-ndjson" } });
		const { body } = await call("GET", `/api/v1/sessions/${id}`);
		expect(body.message_count).toBe(3000);
		expect(body.messages.map((message: { content: string }) => message.content.split(" ")[1])).toEqual(Array.from({ length: 3000 }, (_, i) => String(i)));
	});
});

describe("GET /api/v1/sessions/{id}: error", () => {
	it("an id that is no integer, unknown, or another tenant's gives the same 404, to the byte but for the request id", async () => {
		const { call, keys, newSession } = await startTestServer();
		const foreign = await newSession(keys.beta);
		const own = await newSession();
		const ids = [
			foreign,
			999_999,
			0,
			-1,
			`0${own}`,
			"1e0",
			`${own}.0`,
			"abc",
			"9007199254740993",
			"99999999999999999999999",
			"%20",
			"%zz",
			"null",
			`${own}%00`,
			"x".repeat(900),
			"x".repeat(3000),
		];
		const answers = await Promise.all(ids.map((id) => call("GET", `/api/v1/sessions/${id}`)));
		for (const [i, answer] of answers.entries()) {
			expect(answer.status, String(ids[i])).toBe(404);
			expect(withoutRequestId(answer), String(ids[i])).toEqual(withoutRequestId(answers[0] as (typeof answers)[0]));
		}
	});
});

describe("GET /api/v1/sessions/{id}: security", () => {
	it("HTML in a message is no HTML in the answer", async () => {
		const { call, append, newSession } = await startTestServer();
		const id = await newSession();
		await append(id, { role: "user", content: "<script>alert(1)</script>" });
		const { headers } = await call("GET", `/api/v1/sessions/${id}`);
		expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
		expect(headers.get("x-content-type-options")).toBe("nosniff");
		expect(headers.get("cache-control")).toBe("no-store");
	});
});
