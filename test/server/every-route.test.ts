import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ROUTES } from "../../src/server/routes/v1/index.js";
import { type Answer, startTestServer, type TestServer, withoutRequestId } from "../helpers/start-test-server.js";

/** A good request to each route; a new route without one fails here. */
const GOOD: Record<string, unknown> = {
	createSession: { end_user_external_id: "u" },
	listSessions: undefined,
	getSession: undefined,
	appendMessage: { role: "user", content: "hello" },
};
const routes = ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const);
const pathOf = (path: string, id: number | string) => `/api/v1${path.replace(":id", String(id))}`;

describe.each(routes)("%s", (_name, route) => {
	it("has a good request here, which succeeds and carries a request id", async () => {
		expect(Object.keys(GOOD)).toContain(route.operationId);
		const { call, newSession } = await startTestServer();
		const { status, headers } = await call(route.method, pathOf(route.path, await newSession()), { body: GOOD[route.operationId] });
		expect([200, 201]).toContain(status);
		expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
	});

	it("without a key, with a wrong, a mistyped and a malformed one is 401, before anything else is looked at", async () => {
		const { call, keys, newSession } = await startTestServer();
		const id = await newSession();
		const wrong = `${keys.acme.slice(0, -1)}${keys.acme.endsWith("0") ? "1" : "0"}`;
		const credentials = [
			undefined,
			"",
			"Bearer",
			"Bearer ",
			`Basic ${keys.acme}`,
			keys.acme,
			`Bearer ${wrong}`,
			`Bearer ${keys.acme}x`,
			`Bearer ${keys.acme} ${keys.acme}`,
			"Bearer lbl_",
			`Bearer ${"x".repeat(5000)}`,
		];
		for (const Authorization of credentials) {
			for (const [path, body] of [
				[pathOf(route.path, id), GOOD[route.operationId]],
				[pathOf(route.path, "x"), route.method === "POST" ? "{broken" : undefined],
			] as const) {
				const answer = await call(route.method, path, { key: null, body, headers: Authorization === undefined ? {} : { Authorization } });
				expect(answer.status, Authorization).toBe(401);
				expect(answer.headers.get("www-authenticate")).toBe("Bearer");
				expect(answer.body.error).toEqual({
					type: "authentication_error",
					code: "unauthorized",
					message: expect.any(String),
					param: null,
					request_id: answer.headers.get("x-request-id"),
				});
				expect(answer.text).not.toContain("lbl_");
			}
		}
	});

	it("takes the word Bearer in any case", async () => {
		const { call, keys, newSession } = await startTestServer();
		const answer = await call(route.method, pathOf(route.path, await newSession()), {
			key: null,
			body: GOOD[route.operationId],
			headers: { Authorization: `bEARER  ${keys.acme}` },
		});
		expect([200, 201]).toContain(answer.status);
	});

	it("with a method it does not know is 405 and says which it knows", async () => {
		const { call, newSession } = await startTestServer();
		const path = pathOf(route.path, await newSession());
		const known = ROUTES.filter((each) => each.path === route.path).map((each) => each.method as string);
		for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter((each) => !known.includes(each))) {
			const { status, headers, body } = await call(method, path);
			expect([method, status, body.error.code]).toEqual([method, 405, "method_not_allowed"]);
			expect(headers.get("allow")?.split(", ")).toEqual(expect.arrayContaining(known));
			expect((await call(method, path, { key: null })).status).toBe(401);
		}
	});

	if (route.body) {
		it("with another media type is 415", async () => {
			const { call, newSession } = await startTestServer();
			const path = pathOf(route.path, await newSession());
			for (const type of [
				"text/plain",
				"application/x-www-form-urlencoded",
				"multipart/form-data; boundary=x",
				"application/jsonp",
				"x",
				...(route.line ? [] : ["application/x-ndjson"]),
			]) {
				const answer = await call(route.method, path, { body: JSON.stringify(GOOD[route.operationId]), headers: { "Content-Type": type } });
				expect([type, answer.status, answer.body.error.code]).toEqual([type, 415, "unsupported_media_type"]);
			}
		});

		it("with a body that is no JSON is 400", async () => {
			const { call, newSession } = await startTestServer();
			const path = pathOf(route.path, await newSession());
			for (const body of [
				"",
				"{",
				"nul",
				"{'a':1}",
				new Uint8Array([0xff, 0xfe]),
				new Uint8Array([...Buffer.from('{"role":"user","content":"'), 0xc3, 0x28, ...Buffer.from('"}')]),
			]) {
				const answer = await call(route.method, path, { body });
				expect([answer.status, answer.body?.error.code]).toEqual([400, "invalid_request"]);
			}
		});

		it("takes a JSON body with a charset and a byte order mark", async () => {
			const { call, newSession } = await startTestServer();
			const answer = await call(route.method, pathOf(route.path, await newSession()), {
				body: `\ufeff${JSON.stringify(GOOD[route.operationId])}`,
				headers: { "Content-Type": "Application/JSON; charset=utf-8" },
			});
			expect(answer.status).toBe(201);
		});
	}
});

describe("below /api/v1", () => {
	it("unknown paths are 401 without a key and 404 with one", async () => {
		const { call } = await startTestServer();
		for (const path of ["", "/", "/x", "/sessions/", "/sessions/1/messages/1", "/Sessions", "/sessions/1/", "/%zz", "/..%2f..%2fhealthz"]) {
			expect([path, (await call("GET", `/api/v1${path}`, { key: null })).status]).toEqual([path, 401]);
			const { status, body } = await call("GET", `/api/v1${path}`);
			expect([path, status, body.error.code]).toEqual([path, 404, "not_found"]);
		}
	});

	it("no spelling of the path gets around the key", async () => {
		const { call, newSession } = await startTestServer();
		const id = await newSession();
		for (const path of [
			"/api/%761/sessions",
			"/%61pi/v1/sessions",
			`/api/v1/sessions/%3${id}`,
			"//api/v1/sessions",
			"/api//v1/sessions",
			"/api/v1/sessions;x",
			"/API/V1/sessions",
			"/healthz/../api/v1/sessions",
			"/api/v1/sessions?x",
		]) {
			const { status, text } = await call("GET", path, { key: null });
			expect([401, 404]).toContain(status);
			expect(text).not.toContain("external_id");
		}
	});
});

describe("isolation", () => {
	/** Everything a tenant can see, through every reading endpoint. */
	async function view({ call }: TestServer, key: string, ids: readonly number[]): Promise<Answer[]> {
		const paths = [
			"/api/v1/sessions",
			"/api/v1/sessions?limit=200&r_level=R0",
			...["u", "v"].map((user) => `/api/v1/sessions?end_user_external_id=${user}`),
			...ids.map((id) => `/api/v1/sessions/${id}`),
		];
		return Promise.all(paths.map((path) => call("GET", path, { key })));
	}

	const action = fc.record({
		route: fc.constantFrom(...ROUTES.map((route) => route.operationId)),
		session: fc.nat(),
		external: fc.constantFrom("a", "b", "c"),
		word: fc.constantFrom("hello", "awful", "doomed"),
		ndjson: fc.boolean(),
	});

	it("nothing that another tenant does, on any endpoint, with any id, shows in what a tenant sees, and foreign ids are answered as unknown ones", async () => {
		const server = await startTestServer();
		const { call, keys, newSession } = server;
		const own = [await newSession(keys.acme, "u"), await newSession(keys.acme, "v")];
		await call("POST", "/api/v1/sessions", { body: { external_id: "a", end_user_external_id: "u" } });
		for (const id of own) await server.append(id, { role: "user", content: "uneasy", external_id: "a" });
		const before = (await view(server, keys.acme, own)).map(({ text }) => text);
		const unknown = {
			GET: await call("GET", "/api/v1/sessions/987654", { key: keys.beta }),
			POST: await call("POST", "/api/v1/sessions/987654/messages", { key: keys.beta, body: GOOD["appendMessage"] }),
		};
		await fc.assert(
			fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 8 }), async (actions) => {
				for (const { route: operationId, session, external, word, ndjson } of actions) {
					const route = ROUTES.find((each) => each.operationId === operationId) as (typeof ROUTES)[number];
					const id = own[session % own.length] as number;
					const body = {
						createSession: { external_id: external, end_user_external_id: "u" },
						appendMessage: { role: "user", content: word, external_id: external },
					}[operationId];
					const answer = await call(route.method, pathOf(route.path, id), {
						key: keys.beta,
						body,
						...(ndjson && operationId === "appendMessage" ? { headers: { "Content-Type": "application/x-ndjson" } } : {}),
					});
					expect(answer.text).not.toContain("uneasy");
					if (route.path.includes(":id")) expect(withoutRequestId(answer)).toEqual(withoutRequestId(unknown[route.method]));
				}
				expect((await view(server, keys.acme, own)).map(({ text }) => text)).toEqual(before);
			}),
			{ numRuns: 25 },
		);
		const seenByBeta = (await call("GET", "/api/v1/sessions", { key: keys.beta })).body.data;
		expect(seenByBeta.length).toBeGreaterThan(0);
		for (const session of seenByBeta) expect(own).not.toContain(session.id);
	});

	it("every route with a session's id in its path is part of it", () => {
		expect(ROUTES.map((route) => route.operationId).sort()).toEqual(Object.keys(GOOD).sort());
	});
});
