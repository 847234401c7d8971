import { describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../../helpers/start-test-server.js";

const PATH = "/api/v1/sessions";

/** Five sessions: levels R0, R1-mid, R1-high, R2, R0; end users a, b, a, b, a. */
async function fill({ call, append, keys }: TestServer): Promise<number[]> {
	const ids: number[] = [];
	for (const [i, word] of ["", "uneasy", "awful", "doomed", "fine"].entries()) {
		const { body } = await call("POST", PATH, { body: { external_id: `s${i}`, end_user_external_id: i % 2 ? "b" : "a" }, key: keys.acme });
		ids.push(body.id);
		if (word !== "") await append(body.id, { role: "user", content: word });
	}
	return ids;
}

describe("GET /api/v1/sessions: happy", () => {
	it("gives the most recently active first", async () => {
		const server = await startTestServer();
		const ids = await fill(server);
		await server.append(ids[1] as number, { role: "user", content: "again" });
		const { status, body } = await server.call("GET", PATH);
		expect(status).toBe(200);
		expect(body).toEqual({ data: expect.any(Array), has_more: false, next_cursor: null });
		expect(body.data[0].id).toBe(ids[1]);
		const times = body.data.map((session: { last_message_at: string }) => session.last_message_at);
		expect(times).toEqual([...times].sort().reverse());
	});

	it("filters by end user, by level and above, and pages by cursor", async () => {
		const server = await startTestServer();
		await fill(server);
		const names = async (query: string) =>
			(await server.call("GET", `${PATH}?${query}`)).body.data.map((session: { external_id: string }) => session.external_id).sort();
		expect(await names("end_user_external_id=a")).toEqual(["s0", "s2", "s4"]);
		expect(await names("end_user_external_id=nobody")).toEqual([]);
		expect(await names("r_level=R0")).toHaveLength(5);
		expect(await names("r_level=R1-high")).toEqual(["s2", "s3"]);
		expect(await names("r_level=R2&end_user_external_id=b")).toEqual(["s3"]);
		const seen: string[] = [];
		let cursor = "";
		for (let page = 0; page < 3; page++) {
			const { body } = await server.call("GET", `${PATH}?limit=2${cursor && `&cursor=${cursor}`}`);
			seen.push(...body.data.map((session: { external_id: string }) => session.external_id));
			expect(body.has_more).toBe(page < 2);
			cursor = body.next_cursor ?? "";
		}
		expect(seen.sort()).toEqual(["s0", "s1", "s2", "s3", "s4"]);
		expect(cursor).toBe("");
	});

	it("gives 50 without a limit, and 200 at most", async () => {
		const { call } = await startTestServer();
		await Promise.all(Array.from({ length: 203 }, () => call("POST", PATH, { body: { end_user_external_id: "u" } })));
		expect((await call("GET", PATH)).body.data).toHaveLength(50);
		expect((await call("GET", `${PATH}?limit=200`)).body).toMatchObject({ has_more: true, data: { length: 200 } });
	});
});

describe("GET /api/v1/sessions: error", () => {
	it.each([
		"limit=0",
		"limit=201",
		"limit=-1",
		"limit=1.5",
		"limit=x",
		"limit=",
		"limit=1&limit=2",
		"r_level=R9",
		"r_level=r2",
		"cursor=x",
		"cursor=",
		"cursor=W10",
		"end_user_external_id=a&end_user_external_id=b",
	])("%s is 400 and names the parameter", async (query) => {
		const { call } = await startTestServer();
		const { status, body } = await call("GET", `${PATH}?${query}`);
		expect(status).toBe(400);
		expect(body.error).toMatchObject({ code: "invalid_request", param: query.split("=")[0] });
	});
});

describe("GET /api/v1/sessions: security", () => {
	it("another tenant's cursor opens nothing of that tenant", async () => {
		const server = await startTestServer();
		await fill(server);
		const { body } = await server.call("GET", `${PATH}?limit=1`);
		expect((await server.call("GET", `${PATH}?cursor=${body.next_cursor}`, { key: server.keys.beta })).body.data).toEqual([]);
	});
});
