import { z } from "zod";
import { VERSION } from "../version.js";
import { API_ERRORS } from "./errors.js";
import type { Route, RouteResponse } from "./route.js";
import { ROUTES } from "./routes/v1/index.js";
import { errorSchema } from "./schemas.js";

/** A JSON document, loosely typed. */
export type Json = { [key: string]: unknown };

/** Errors that every route under `/api/v1` may answer with. */
const COMMON_ERRORS = ["invalid_request", "unauthorized", "rate_limited", "internal", "busy"] as const;
const ERROR_TEXT: Record<keyof typeof API_ERRORS, string> = {
	invalid_request: "The request is not valid; `param` names the field",
	unauthorized: "The key is missing or wrong",
	not_found: "No such session, or another tenant's",
	method_not_allowed: "The path knows other methods only",
	conflict: "The external_id is taken by another message",
	too_large: "The body or the content is too large",
	unsupported_media_type: "The Content-Type is not one of those documented",
	rate_limited: "Too many requests; see Retry-After",
	internal: "A fault of the service",
	busy: "The database is busy; see Retry-After",
};

/** The OpenAPI 3.1 document, made from the schemas that validate. */
export function createOpenApi(): Json {
	const components: Json = {};
	const paths: Record<string, Json> = {};
	for (const route of ROUTES) {
		const path = `/api/v1${route.path.replace(":id", "{id}")}`;
		paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route, components) };
	}
	return {
		openapi: "3.1.0",
		info: {
			title: "label",
			version: VERSION,
			summary: "Scores conversations for mental-health risk, turn by turn and session by session.",
			description:
				"Triage support, not a diagnosis: levels say who should be looked at, and when. A turn whose coverage is `none` could not be read and must not be taken as safe.",
			license: { name: "MIT", identifier: "MIT" },
		},
		servers: [{ url: "/" }],
		security: [{ key: [] }],
		paths,
		components: { schemas: components, securitySchemes: { key: { type: "http", scheme: "bearer", description: "The tenant's API key" } } },
	};
}

function toOperation(route: Route, components: Json): Json {
	const responses: Record<string, Json> = {};
	for (const [status, bodies] of Object.entries(route.responses)) responses[status] = toResponse(bodies, components);
	for (const code of [...COMMON_ERRORS, ...route.errors]) {
		responses[String(API_ERRORS[code].status)] = toResponse([{ description: ERROR_TEXT[code], schema: errorSchema }], components);
	}
	const content: Json = {};
	if (route.body) content["application/json"] = { schema: toJsonSchema(route.body, "input", components) };
	if (route.line) content["application/x-ndjson"] = { schema: toJsonSchema(route.line, "input", components) };
	return {
		operationId: route.operationId,
		summary: route.summary,
		description: route.description,
		parameters: [...pathParameters(route), ...queryParameters(route)],
		...(route.body ? { requestBody: { required: true, content } } : {}),
		responses,
	};
}

function toResponse(bodies: readonly RouteResponse[], components: Json): Json {
	return {
		description: bodies.map(({ description }) => description).join("; "),
		headers: { "X-Request-Id": { schema: { type: "string" } } },
		content: Object.fromEntries(
			bodies.map(({ schema, mediaType }) => [mediaType ?? "application/json", { schema: toJsonSchema(schema, "output", components) }]),
		),
	};
}

function pathParameters(route: Route): Json[] {
	if (!route.path.includes(":id")) return [];
	return [
		{ name: "id", in: "path", required: true, description: "The session's id", schema: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER } },
	];
}

function queryParameters(route: Route): Json[] {
	return Object.entries(route.query?.shape ?? {}).map(([name, schema]) => {
		const { description, ...rest } = toJsonSchema(schema as z.ZodType, "output", {});
		return { name, in: "query", required: false, ...(description === undefined ? {} : { description }), schema: rest };
	});
}

/** A zod schema as JSON Schema 2020-12; schemas that carry an id go to the components and leave a reference. */
function toJsonSchema(schema: z.ZodType, io: "input" | "output", components: Json): Json {
	const id = schema.meta()?.id;
	const { $schema: _dialect, $defs = {}, ...own } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json & { $defs?: Record<string, Json> };
	for (const [name, definition] of Object.entries($defs)) components[name] = withReferences(definition);
	const referenced = withReferences(own) as Json;
	if (typeof id !== "string" || "$ref" in referenced) return referenced;
	components[id] = referenced;
	return { $ref: `#/components/schemas/${id}` };
}

/** Points references at the components, and drops zod's `id`, which is no keyword of JSON Schema. */
function withReferences(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withReferences);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([key, member]) => !(key === "id" && typeof member === "string"))
			.map(([key, member]) => [key, key === "$ref" ? String(member).replace("#/$defs/", "#/components/schemas/") : withReferences(member)]),
	);
}
