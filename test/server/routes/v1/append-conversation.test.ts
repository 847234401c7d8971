import { request as httpRequest } from "node:http";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../../helpers/start-test-server.js";

const NDJSON = { "Content-Type": "application/x-ndjson" };

async function send({ call }: TestServer, id: number, body: string | Uint8Array) {
	const answer = await call("POST", `/api/v1/sessions/${id}/messages`, { body, headers: NDJSON });
	return {
		...answer,
		lines: answer.text
			.split("\n")
			.filter(Boolean)
			.map((line) => JSON.parse(line)),
	};
}

/** Sends the body in the given pieces over one request; reads nothing before the last piece is sent. */
function sendSlowly({ url, keys }: TestServer, id: number, pieces: readonly Uint8Array[]): Promise<string> {
	return new Promise((resolve, reject) => {
		const request = httpRequest(`${url}/api/v1/sessions/${id}/messages`, { method: "POST", headers: { ...NDJSON, Authorization: `Bearer ${keys.acme}` } });
		request.on("error", reject);
		let answer = "";
		request.on("response", (response) => {
			const read = () =>
				response
					.on("data", (chunk) => (answer += chunk))
					.on("end", () => resolve(answer))
					.on("error", reject)
					.resume();
			response.pause();
			if (request.writableFinished) read();
			else request.once("finish", read);
		});
		const next = (i: number): void => {
			const piece = pieces[i];
			if (piece === undefined) return void request.end();
			if (request.write(piece)) setImmediate(next, i + 1);
			else request.once("drain", () => next(i + 1));
		};
		next(0);
	});
}

const message = (content: string, more: object = {}) => JSON.stringify({ role: "user", content, ...more });

describe("POST /api/v1/sessions/{id}/messages as NDJSON: happy", () => {
	it("answers a result a line, in order, the same as single appends", async () => {
		const server = await startTestServer();
		const words = ["hello", "uneasy", "really?", "doomed", "fine"];
		const [one, other] = [await server.newSession(), await server.newSession()];
		const { status, headers, lines } = await send(server, one, words.map((word) => message(word)).join("\n"));
		expect(status).toBe(200);
		expect(headers.get("content-type")).toBe("application/x-ndjson");
		const singles = [];
		for (const word of words) singles.push((await server.append(other, { role: "user", content: word })).body);
		const strip = ({ id, session_id, created_at, ...rest }: Record<string, unknown>) => rest;
		expect(lines.map(strip)).toEqual(singles.map(strip));
	});

	it("does not care how the bytes arrive, nor for CRLF, blank lines and a missing last newline", async () => {
		const server = await startTestServer();
		const bytes = Buffer.from(`${message("hé\u{1f600}llo")}\r\n\n  \n${message("awful")}\n${message("ünd \u2028 so")}`);
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
				const id = await server.newSession();
				const places = [...new Set([0, ...cuts, bytes.length])].sort((a, b) => a - b);
				const answer = await sendSlowly(
					server,
					id,
					places.slice(1).map((end, i) => bytes.subarray(places[i], end)),
				);
				expect(
					answer
						.split("\n")
						.filter(Boolean)
						.map((line) => JSON.parse(line).prs),
				).toEqual([0, 0.6, 0]);
			}),
			{ numRuns: 15 },
		);
	});

	it("is idempotent line by line on external_id", async () => {
		const server = await startTestServer();
		const id = await server.newSession();
		const body = ["a", "b"].map((name) => message(name, { external_id: name })).join("\n");
		const first = await send(server, id, body);
		const again = await send(server, id, `${body}\n${message("c", { external_id: "c" })}`);
		expect(again.lines.slice(0, 2)).toEqual(first.lines);
		expect((await server.call("GET", `/api/v1/sessions/${id}`)).body.message_count).toBe(3);
	});

	it("serves a client that sends 20,000 lines before it reads anything", async () => {
		const server = await startTestServer();
		const id = await server.newSession();
		const line = Buffer.from(`${message(`awful ${"x".repeat(50)}`)}\n`);
		const answer = await sendSlowly(
			server,
			id,
			Array.from({ length: 200 }, () => Buffer.concat(Array.from({ length: 100 }, () => line))),
		);
		expect(answer.split("\n").filter(Boolean)).toHaveLength(20_000);
		expect((await server.call("GET", `/api/v1/sessions?limit=1`)).body.data[0].message_count).toBe(20_000);
	}, 60_000);

	it("an empty body is an empty answer", async () => {
		const server = await startTestServer();
		const { status, text } = await send(server, await server.newSession(), "");
		expect([status, text]).toEqual([200, ""]);
	});
});

describe("POST /api/v1/sessions/{id}/messages as NDJSON: error", () => {
	it("a bad line answers with an error line that names it, and the rest goes on", async () => {
		const server = await startTestServer();
		const id = await server.newSession();
		const { status, headers, lines } = await send(
			server,
			id,
			[
				message("one", { external_id: "a" }),
				"not json",
				"",
				message("two", { external_id: "a" }),
				'{"role":"user"}',
				`"${"x".repeat(3_000_000)}"`,
				message("x".repeat(500_001)),
				message("last"),
			].join("\n"),
		);
		expect(status).toBe(200);
		expect(lines.map((line) => line.error?.code ?? line.role)).toEqual([
			"user",
			"invalid_request",
			"conflict",
			"invalid_request",
			"too_large",
			"too_large",
			"user",
		]);
		expect(lines.map((line) => line.error?.line)).toEqual([undefined, 2, 4, 5, 6, 7, undefined]);
		expect(lines[3].error).toMatchObject({ param: "content", request_id: headers.get("x-request-id") });
		expect((await server.call("GET", `/api/v1/sessions/${id}`)).body.messages.map((each: { content: string }) => each.content)).toEqual(["one", "last"]);
	});

	it("invalid UTF-8 spoils its own line only", async () => {
		const server = await startTestServer();
		const { lines } = await send(
			server,
			await server.newSession(),
			Buffer.concat([Buffer.from('{"role":"user","content":"'), Buffer.from([0xff]), Buffer.from(`"}\n${message("fine")}`)]),
		);
		expect(lines.map((line) => line.error?.code ?? line.role)).toEqual(["invalid_request", "user"]);
	});

	it("an unknown session is 404 before any line", async () => {
		const server = await startTestServer();
		expect((await send(server, 999, message("x"))).status).toBe(404);
	});

	it("keeps what was acknowledged when the client goes away in the middle", async () => {
		const server = await startTestServer();
		const id = await server.newSession();
		const acknowledged = await new Promise<number>((resolve) => {
			const request = httpRequest(`${server.url}/api/v1/sessions/${id}/messages`, {
				method: "POST",
				headers: { ...NDJSON, Authorization: `Bearer ${server.keys.acme}` },
			});
			request.on("error", () => {});
			request.on("response", (response) => {
				response.on("error", () => {});
				response.once("data", (chunk) => {
					request.destroy();
					resolve(String(chunk).split("\n").length - 1);
				});
			});
			request.write(`${message("one")}\n${message("two")}\n{"role":"us`);
		});
		expect(acknowledged).toBeGreaterThan(0);
		const { messages } = (await server.call("GET", `/api/v1/sessions/${id}`)).body;
		expect(messages.map((each: { content: string }) => each.content)).toEqual(["one", "two"]);
		expect((await server.finalLog()).filter((line) => line.includes('"error"'))).toEqual([]);
	});
});

describe("POST /api/v1/sessions/{id}/messages as NDJSON: security", () => {
	it("another tenant's session takes no line", async () => {
		const server = await startTestServer();
		const foreign = await server.newSession(server.keys.beta);
		expect((await send(server, foreign, message("x"))).status).toBe(404);
		expect((await server.call("GET", `/api/v1/sessions/${foreign}`, { key: server.keys.beta })).body.message_count).toBe(0);
	});
});
