import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startServer } from "../../src/server/index.js";
import { createTenants } from "../../src/services/tenants.js";
import { openStore } from "../../src/store/open-store.js";
import { createFakeScorer } from "../helpers/fake-scorer.js";
import { startTestServer } from "../helpers/start-test-server.js";
import { tempDir } from "../helpers/temp-dir.js";

/** A bare connection to a server. */
async function connectTo(url: string): Promise<Socket> {
	const { hostname, port } = new URL(url);
	const socket = connect(Number(port), hostname);
	socket.on("error", () => {});
	await once(socket, "connect");
	return socket;
}

/** Everything the other side sends until it closes, or until `isEnough`. */
function readAll(socket: Socket, isEnough: (text: string) => boolean = () => false): Promise<string> {
	return new Promise((resolve) => {
		let text = "";
		socket.on("data", (chunk) => {
			text += chunk;
			if (isEnough(text)) resolve(text);
		});
		socket.on("close", () => resolve(text));
	});
}

describe("startServer", () => {
	const options = { scorer: createFakeScorer(), port: 0 };

	it("makes the tenant local with a key where no tenant has one, once", async () => {
		const db = join(tempDir(), "label.db");
		const first = await startServer({ db, ...options });
		expect(first.created).toMatchObject({ tenant: { name: "local", has_key: true }, api_key: expect.stringMatching(/^lbl_/) });
		const answer = await fetch(`${first.url}/api/v1/sessions`, { headers: { Authorization: `Bearer ${first.created?.api_key}` } });
		expect(answer.status).toBe(200);
		await first.close();
		const second = await startServer({ db, ...options });
		expect(second.created).toBeNull();
		await second.close();
	});

	it("gives the key of a local tenant that label run made", async () => {
		const db = join(tempDir(), "label.db");
		const store = openStore(db);
		const { id } = createTenants({ store }).ensure("local");
		store.close();
		const server = await startServer({ db, ...options });
		expect(server.created?.tenant.id).toBe(id);
		await server.close();
	});

	it("binds to a host that other machines can reach only when told so, and only for tenants that have a key", async () => {
		const db = join(tempDir(), "label.db");
		for (const host of ["0.0.0.0", "::", "192.168.1.5", "example.org"]) {
			await expect(startServer({ db, host, ...options })).rejects.toMatchObject({ code: "usage", message: expect.stringMatching(/--allow-remote.*TLS/) });
		}
		await expect(startServer({ db, host: "0.0.0.0", allowRemote: true, ...options })).rejects.toMatchObject({
			code: "usage",
			message: expect.stringContaining("label tenant create"),
		});
		const store = openStore(db);
		expect(createTenants({ store }).list()).toEqual([]);
		createTenants({ store }).create("acme");
		store.close();
		const server = await startServer({ db, host: "0.0.0.0", allowRemote: true, ...options });
		expect(server.created).toBeNull();
		await server.close();
	});

	it("says that a port is in use, and leaves the database closed", async () => {
		const running = await startTestServer();
		const port = Number(new URL(running.url).port);
		await expect(startServer({ db: join(tempDir(), "label.db"), ...options, port })).rejects.toMatchObject({ code: "usage", param: "port" });
	});

	it("shows what label run stored", async () => {
		const { call, db, newSession } = await startTestServer();
		await newSession();
		const { createSessions } = await import("../../src/services/sessions.js");
		const store = openStore(db);
		createSessions({ store, scorer: createFakeScorer() }).storeConversation(createTenants({ store }).get("acme").id, {
			external_id: "from a file",
			end_user_external_id: "u",
			title: null,
			started_at: null,
			messages: [{ role: "user", content: "doomed", external_id: null, created_at: null }],
		});
		store.close();
		const [found] = (await call("GET", "/api/v1/sessions?r_level=R2")).body.data;
		expect(found.external_id).toBe("from a file");
		expect((await call("GET", `/api/v1/sessions/${found.id}`)).body.messages[0]).toMatchObject({ created_at: null, content: "doomed" });
	});

	it("lets requests in flight finish when it stops, and takes no new connection", async () => {
		const { url, keys, newSession, close, call } = await startTestServer();
		const id = await newSession();
		const slow = httpRequest(`${url}/api/v1/sessions/${id}/messages`, {
			method: "POST",
			headers: { Authorization: `Bearer ${keys.acme}`, "Content-Type": "application/json" },
		});
		slow.write('{"role":"user",');
		await call("GET", "/healthz");
		const closing = close();
		await new Promise((resolve) => setTimeout(resolve, 50));
		slow.end('"content":"late"}');
		const [response] = (await once(slow, "response")) as [import("node:http").IncomingMessage];
		expect(response.statusCode).toBe(201);
		response.resume();
		await closing;
		await expect(fetch(`${url}/healthz`)).rejects.toThrow();
	});
});

describe("open endpoints", () => {
	it("/healthz and /readyz answer without a key", async () => {
		const { call } = await startTestServer();
		expect(await call("GET", "/healthz", { key: null })).toMatchObject({ status: 200, body: { status: "ok" } });
		expect(await call("GET", "/readyz", { key: null })).toMatchObject({ status: 200, body: { status: "ready" } });
	});

	it("/metrics counts requests and turns, in Prometheus' text format, without ids or text", async () => {
		const { call, append, newSession } = await startTestServer();
		const id = await newSession();
		await append(id, { role: "user", content: "awful" });
		await append(id, { role: "user", content: "awful", external_id: "x" });
		await append(id, { role: "user", content: "awful", external_id: "x" });
		await call("GET", "/api/v1/sessions/424242");
		const { text, headers } = await call("GET", "/metrics", { key: null });
		expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
		for (const line of text.trim().split("\n")) expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"\n]*",?)+\})? [\d.e+-]+)$/);
		expect(text).toContain('label_turns_total{r_level="R1-high"} 2');
		expect(text).toContain('label_http_requests_total{method="POST",route="/api/v1/sessions/:id/messages",status="201"} 2');
		expect(text).toContain('status="404"} 1');
		expect(text).not.toMatch(/424242|awful/);
		const count = (name: string) => Number(text.match(new RegExp(`^${name} (\\d+)$`, "m"))?.[1]);
		expect(count("label_http_request_duration_seconds_count")).toBe(5);
		expect(count('label_http_request_duration_seconds_bucket\\{le="\\+Inf"\\}')).toBe(5);
	});

	it("paths outside tell nothing", async () => {
		const { call } = await startTestServer();
		expect(await call("GET", "/nothing", { key: null })).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
	});
});

describe("the rate limit", () => {
	it("answers 429 with Retry-After and the standard headers, for the key at fault only", async () => {
		const { call, keys } = await startTestServer({ rateLimit: 3 });
		const answers = [];
		for (let i = 0; i < 5; i++) answers.push(await call("GET", "/api/v1/sessions"));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
		expect(answers.slice(0, 3).map(({ headers }) => headers.get("ratelimit-remaining"))).toEqual(["2", "1", "0"]);
		const refused = answers[3] as (typeof answers)[0];
		expect(refused.body.error).toMatchObject({ type: "rate_limit_error", code: "rate_limited" });
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
		expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(20);
		expect(refused.headers.get("ratelimit-limit")).toBe("3");
		expect((await call("GET", "/api/v1/sessions", { key: keys.beta })).status).toBe(200);
	});
});

describe("CORS", () => {
	const preflight = { "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization" };

	it("is off without an origin given", async () => {
		const { call } = await startTestServer();
		const answer = await call("OPTIONS", "/api/v1/sessions", { key: null, headers: { Origin: "https://app.example", ...preflight } });
		expect(answer.status).toBe(401);
		expect(answer.headers.get("access-control-allow-origin")).toBeNull();
	});

	it("lets the given origin in, and no other", async () => {
		const { call } = await startTestServer({ corsOrigins: ["https://app.example"] });
		const allowed = await call("OPTIONS", "/api/v1/sessions", { key: null, headers: { Origin: "https://app.example", ...preflight } });
		expect(allowed.status).toBe(204);
		expect(allowed.headers.get("access-control-allow-origin")).toBe("https://app.example");
		expect(allowed.headers.get("access-control-allow-headers")).toContain("Authorization");
		const real = await call("GET", "/api/v1/sessions", { headers: { Origin: "https://app.example" } });
		expect(real.headers.get("access-control-allow-origin")).toBe("https://app.example");
		expect(real.headers.get("vary")).toContain("Origin");
		for (const Origin of ["https://evil.example", "https://app.example.evil.example", "null"]) {
			const foreign = await call("OPTIONS", "/api/v1/sessions", { key: null, headers: { Origin, ...preflight } });
			expect([foreign.status, foreign.headers.get("access-control-allow-origin")]).toEqual([401, null]);
		}
	});
});

describe("the log", () => {
	it("has one JSON line a request, with the request's id, and neither text, ids of people nor keys", async () => {
		const { call, append, newSession, keys, finalLog } = await startTestServer();
		const id = await newSession(keys.acme, "person-zzq");
		const { headers } = await append(id, { role: "user", content: "words-zzq", external_id: "ext-zzq" });
		await call("GET", "/api/v1/sessions?end_user_external_id=person-zzq&cursor=zzq");
		await call("GET", "/api/v1/words-zzq");
		await call("GET", `/${keys.acme}`);
		await call("GET", `/api/v1/sessions/%zz${keys.acme}`);
		const log = await finalLog();
		const entries = log.map((line) => JSON.parse(line));
		expect(entries.filter((entry) => entry.request_id === headers.get("x-request-id"))).toEqual([
			{
				time: expect.any(String),
				level: "info",
				request_id: expect.any(String),
				method: "POST",
				route: "/api/v1/sessions/:id/messages",
				status: 201,
				ms: expect.any(Number),
			},
		]);
		expect(log.join("")).not.toMatch(/zzq|lbl_/);
	});

	it("has the place of a fault and not its message, and the client gets neither", async () => {
		const scorer = createFakeScorer();
		const broken = {
			...scorer,
			step: () => {
				throw new Error("message-zzq");
			},
		};
		const { append, newSession, finalLog } = await startTestServer({ scorer: broken });
		const answer = await append(await newSession(), { role: "user", content: "x" });
		expect(answer.status).toBe(500);
		expect(answer.body.error).toEqual({
			type: "api_error",
			code: "internal",
			message: expect.any(String),
			param: null,
			request_id: answer.headers.get("x-request-id"),
		});
		expect(answer.text).not.toMatch(/zzq|at /);
		const log = await finalLog();
		const fault = log.map((line) => JSON.parse(line)).find((entry) => entry.level === "error");
		expect(fault).toMatchObject({
			request_id: answer.headers.get("x-request-id"),
			error: "Error",
			at: expect.arrayContaining([expect.stringMatching(/^at /)]),
		});
		expect(log.join("")).not.toContain("zzq");
	});
});

describe("hostile connections", () => {
	it("what is no HTTP gets a 400 and a closed connection", async () => {
		const { url, call } = await startTestServer();
		for (const bytes of [
			"\u0016\u0003\u0001 hello\r\n\r\n",
			"GET / HTTP/9.9\r\n\r\n",
			"GET /\r\nHost\r\n\r\n",
			`GET / HTTP/1.1\r\nX: ${"y".repeat(100_000)}\r\n\r\n`,
			"POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		]) {
			const socket = await connectTo(url);
			socket.write(bytes);
			expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 (400|431) /);
		}
		expect((await call("GET", "/healthz")).status).toBe(200);
	});

	it("pipelined requests are answered in order", async () => {
		const { url, keys, newSession } = await startTestServer();
		const id = await newSession();
		const socket = await connectTo(url);
		const body = (i: number) => JSON.stringify({ role: "user", content: `m${i}`, external_id: `e${i}` });
		socket.write(
			Array.from(
				{ length: 30 },
				(_, i) =>
					`POST /api/v1/sessions/${id}/messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.acme}\r\nContent-Type: application/json\r\nContent-Length: ${body(i).length}\r\n\r\n${body(i)}`,
			).join(""),
		);
		const text = await readAll(socket, (all) => all.split('"scorer_version"').length > 30);
		socket.destroy();
		expect([...text.matchAll(/"external_id":"e(\d+)"/g)].map(([, i]) => Number(i))).toEqual(Array.from({ length: 30 }, (_, i) => i));
	});

	it("a thousand idle and half-open connections keep nobody else waiting, nor the stop", async () => {
		const { url, call, newSession, append, close } = await startTestServer();
		const sockets = await Promise.all(Array.from({ length: 1000 }, () => connectTo(url)));
		for (const [i, socket] of sockets.entries()) if (i % 2) socket.write("POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Le");
		const id = await newSession();
		expect((await append(id, { role: "user", content: "hello" })).status).toBe(201);
		for (const socket of sockets.slice(0, 300)) socket.resetAndDestroy();
		expect((await call("GET", `/api/v1/sessions/${id}`)).body.message_count).toBe(1);
		for (const socket of sockets.slice(300)) socket.destroy();
		await close();
	});

	it("a client that never finishes its request does not keep the server from stopping", async () => {
		const { url, close } = await startTestServer();
		const socket = await connectTo(url);
		socket.write("POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
		await new Promise((resolve) => setTimeout(resolve, 50));
		const begun = Date.now();
		await close();
		expect(Date.now() - begun).toBeLessThan(15_000);
		socket.destroy();
	}, 30_000);
});
