import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { LabelError } from "../errors.js";
import type { Store, TenantRecord } from "../services/ports.js";
import type { Sessions } from "../services/sessions.js";
import type { Tenants } from "../services/tenants.js";
import { authenticate, createKeyLookup, type Gate } from "./authenticate.js";
import { allowOrigin } from "./cors.js";
import { isFault, toApiError } from "./errors.js";
import type { LineSink } from "./gather-lines.js";
import type { GroupCommit } from "./group-commit.js";
import { HEADERS_TIMEOUT, IDLE_TIMEOUT, KEEP_ALIVE, MAX_BODY, REQUEST_TIMEOUT } from "./limits.js";
import type { Metrics } from "./metrics.js";
import { createOpenApi } from "./openapi.js";
import { docsPage, homePage, PAGE_POLICY } from "./pages.js";
import { parseJson } from "./parse-json.js";
import { createRateLimit } from "./rate-limit.js";
import { isNdjson, NDJSON } from "./route.js";
import { ROUTES } from "./routes/v1/index.js";

export interface AppParts {
	store: Store;
	sessions: Sessions;
	tenants: Tenants;
	commits: GroupCommit;
	metrics: Metrics;
	/** Requests a minute and key; null for no limit. */
	rateLimit: number | null;
	/** Origins whose pages may use the API; `*` for any. */
	corsOrigins: readonly string[];
	/** Takes a line of JSON for each request and each fault; null for none. */
	log: LineSink | null;
}

/** Path of the routes that need a key. */
const PREFIX = "/api/v1";
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Makes the application. It does not listen; `app.close()` ends it without touching the store. */
export function createApp(parts: AppParts): FastifyInstance {
	const gate: Gate = {
		tenantOf: createKeyLookup(parts.tenants),
		rateLimit: parts.rateLimit === null ? null : createRateLimit(parts.rateLimit, () => performance.now()),
	};
	const app = fastify({
		// Node takes these two at creation only.
		serverFactory: (handler) =>
			createServer({ requestTimeout: REQUEST_TIMEOUT, headersTimeout: HEADERS_TIMEOUT, keepAliveTimeout: KEEP_ALIVE }, handler).setTimeout(IDLE_TIMEOUT),
		bodyLimit: MAX_BODY,
		genReqId: () => randomUUID(),
		// While it closes, requests that are in are answered; new ones on kept connections too, with Connection: close.
		return503OnClosing: false,
		frameworkErrors: (_error, request, reply) => answerBadUrl(parts, gate, request, reply),
		clientErrorHandler: (_error, socket) => {
			if (socket.writable)
				socket.end(
					`HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(toApiError(new LabelError("invalid_request", "The request is not valid HTTP."), randomUUID()).body)}`,
				);
		},
	});
	const state = { closing: false };
	app.addHook("preClose", async () => {
		state.closing = true;
	});
	app.addHook("onRequest", (request, reply, done) => {
		setCommonHeaders(request, reply);
		if (state.closing) reply.header("Connection", "close");
		if (allowOrigin(request, reply, parts.corsOrigins)) return void reply.status(204).send();
		done();
	});
	app.addHook("onResponse", (request, reply, done) => {
		report(parts, request, reply);
		done();
	});
	app.setErrorHandler((error, request, reply) => answerError(parts, error, request, reply));
	app.setNotFoundHandler(() => {
		throw new LabelError("not_found", "no such path");
	});
	app.removeAllContentTypeParsers();
	app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => {
		try {
			done(null, parseJson(body as Buffer));
		} catch (error) {
			done(error as Error);
		}
	});
	addOpenRoutes(app, parts);
	app.register(
		(api, _options, done) => {
			addApi(api, parts, gate);
			done();
		},
		{ prefix: PREFIX },
	);
	return app;
}

/** The routes that need a key, and the answers to everything else below their prefix: without a key all of it is 401. */
function addApi(api: FastifyInstance, parts: AppParts, gate: Gate): void {
	const tenantOf = new WeakMap<FastifyRequest, TenantRecord>();
	api.addHook("onRequest", (request, reply, done) => {
		tenantOf.set(request, authenticate(request, reply, gate));
		done();
	});
	api.setNotFoundHandler(() => {
		throw new LabelError("not_found", "no such path");
	});
	api.addContentTypeParser(NDJSON, (_request, payload, done) => done(null, payload));
	for (const path of new Set(ROUTES.map((route) => route.path))) {
		const routes = ROUTES.filter((route) => route.path === path);
		for (const route of routes) {
			api.route({
				method: route.method,
				url: path,
				handler: (request, reply) => {
					if (route.line === undefined && isNdjson(request)) throw new LabelError("unsupported_media_type", "This path takes application/json.");
					return route.handle(parts, { tenant: tenantOf.get(request) as TenantRecord, request, reply });
				},
			});
		}
		const known = routes.map((route) => route.method as string);
		const allowed = [...known, ...(known.includes("GET") ? ["HEAD"] : [])].join(", ");
		api.route({
			method: METHODS.filter((method) => !known.includes(method)),
			url: path,
			// The method is told before the body is read.
			onRequest: (_request, reply, done) => {
				reply.header("Allow", allowed);
				done(new LabelError("method_not_allowed", `This path knows ${allowed}.`));
			},
			handler: () => undefined,
		});
	}
}

/** What needs no key: nothing of it tells of any tenant. */
function addOpenRoutes(app: FastifyInstance, { store, metrics }: AppParts): void {
	const openApi = createOpenApi();
	const openApiText = JSON.stringify(openApi);
	const pages = { "/": homePage(), "/docs": docsPage(openApi) };
	for (const [path, html] of Object.entries(pages)) {
		app.get(path, (_request, reply) => reply.type("text/html; charset=utf-8").header("Content-Security-Policy", PAGE_POLICY).send(html));
	}
	app.get("/openapi.json", (_request, reply) => reply.type("application/json; charset=utf-8").send(openApiText));
	app.get("/healthz", (_request, reply) => reply.send({ status: "ok" }));
	app.get("/readyz", (_request, reply) => {
		try {
			store.ping();
			return reply.send({ status: "ready" });
		} catch {
			return reply.status(503).send({ status: "unavailable" });
		}
	});
	app.get("/metrics", (_request, reply) => reply.type("text/plain; version=0.0.4; charset=utf-8").send(metrics.toText()));
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
	reply
		.header("X-Request-Id", request.id)
		.header("X-Content-Type-Options", "nosniff")
		.header("Referrer-Policy", "no-referrer")
		.header("Cache-Control", "no-store");
}

function answerError(parts: AppParts, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
	const answer = toApiError(error, request.id);
	if (isFault(answer)) logFault(parts, error, request.id);
	if (answer.body.error.code === "busy") reply.header("Retry-After", 1);
	return reply.status(answer.status).type("application/json; charset=utf-8").send(JSON.stringify(answer.body));
}

/** A path that can not be decoded, or is too long: it reaches no route and no hook, and below the prefix the key counts first all the same. */
function answerBadUrl(parts: AppParts, gate: Gate, request: FastifyRequest, reply: FastifyReply): FastifyReply {
	setCommonHeaders(request, reply);
	try {
		if (request.url.startsWith(PREFIX)) authenticate(request, reply, gate);
		throw new LabelError("not_found", "no such path");
	} catch (error) {
		return answerError(parts, error, request, reply);
	}
}

/** One line a request: the route's pattern and its id, never a query, a header or a body. */
function report({ metrics, log }: AppParts, request: FastifyRequest, reply: FastifyReply): void {
	const route = request.routeOptions.url ?? "(unknown)";
	metrics.countRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
	log?.write(
		`${JSON.stringify({ time: new Date().toISOString(), level: "info", request_id: request.id, method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime * 10) / 10 })}\n`,
	);
}

/** What went wrong inside, without the message, which may quote what a person wrote. */
function logFault({ log }: AppParts, error: unknown, requestId: string): void {
	const { name, code, stack } = error instanceof Error ? (error as Error & { code?: unknown }) : { name: typeof error, code: undefined, stack: undefined };
	const frames = stack?.split("\n").filter((line) => /^\s+at /.test(line)) ?? [];
	log?.write(
		`${JSON.stringify({ time: new Date().toISOString(), level: "error", request_id: requestId, error: name, code, at: frames.map((line) => line.trim()) })}\n`,
	);
}
