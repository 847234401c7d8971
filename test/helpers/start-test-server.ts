import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type RunningServer, type ServerOptions, startServer } from "../../src/server/index.js";
import { createTenants } from "../../src/services/tenants.js";
import { openStore } from "../../src/store/open-store.js";
import { createFakeScorer } from "./fake-scorer.js";
import { tempDir } from "./temp-dir.js";

export interface Answer {
	status: number;
	headers: Headers;
	text: string;
	// biome-ignore lint/suspicious/noExplicitAny: what a server answers is what the test is about
	body: any;
}

export interface CallOptions {
	body?: unknown;
	key?: string | null;
	headers?: Record<string, string>;
}

/** A server on a free port with the fake scorer, and the tenants `acme` and `beta` with keys. */
export async function startTestServer(options: Partial<ServerOptions> = {}) {
	const db = options.db ?? join(tempDir(), "label.db");
	const store = openStore(db);
	const tenants = createTenants({ store });
	const keys = { acme: tenants.create("acme").api_key, beta: tenants.create("beta").api_key };
	store.close();
	const lines: string[] = [];
	const server: RunningServer = await startServer({
		db,
		scorer: createFakeScorer(),
		port: 0,
		log: { write: (text) => void lines.push(...text.trimEnd().split("\n")) },
		...options,
	});
	let closed: Promise<void> | undefined;
	const close = () => (closed ??= server.close());
	onTestFinished(close);

	/** Sends a request; a string body goes as it is, anything else as JSON. `key: null` sends none. */
	async function call(method: string, path: string, { body, key = keys.acme, headers = {} }: CallOptions = {}): Promise<Answer> {
		const response = await fetch(server.url + path, {
			method,
			headers: {
				...(key === null ? {} : { Authorization: `Bearer ${key}` }),
				...(body === undefined ? {} : { "Content-Type": "application/json" }),
				...headers,
			},
			...(body === undefined ? {} : { body: typeof body === "string" || body instanceof Uint8Array ? (body as string) : JSON.stringify(body) }),
		});
		const text = await response.text();
		return { status: response.status, headers: response.headers, text, body: parseOrNull(text) };
	}

	return {
		url: server.url,
		db,
		keys,
		/** Stops the server and gives all lines of its log. */
		async finalLog(): Promise<string[]> {
			await close();
			return lines;
		},
		close,
		call,
		/** Makes a session and gives its id. */
		async newSession(key = keys.acme, endUser = "u"): Promise<number> {
			return (await call("POST", "/api/v1/sessions", { key, body: { end_user_external_id: endUser } })).body.id;
		},
		append: (id: number, body: unknown, key = keys.acme) => call("POST", `/api/v1/sessions/${id}/messages`, { body, key }),
	};
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

function parseOrNull(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

/** The answer without what must differ: its request id. */
export function withoutRequestId({ status, text, headers }: Answer): unknown {
	const plain = Object.fromEntries([...headers].filter(([name]) => !["date", "x-request-id"].includes(name)));
	return { status, text: text.replaceAll(headers.get("x-request-id") ?? "-", "ID"), headers: plain };
}
