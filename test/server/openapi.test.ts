import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOpenApi } from "../../src/server/openapi.js";
import { API_ERROR_CODES } from "../../src/server/schemas.js";
import { startTestServer } from "../helpers/start-test-server.js";

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
type Json = any;
const document: Json = createOpenApi();
const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
	Object.entries<Json>(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
// CommonJS and ESM typings of ajv-formats differ; the function is the default export's default.
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

describe("the OpenAPI document", () => {
	it("is valid OpenAPI 3.1 for a public validator", async () => {
		const validator = new Validator();
		expect(await validator.validate(structuredClone(document))).toMatchObject({ valid: true });
		expect(validator.version).toBe("3.1");
	});

	it("is what the server gives out", async () => {
		const { call } = await startTestServer();
		const { body, headers } = await call("GET", "/openapi.json", { key: null });
		expect(body).toEqual(document);
		expect(headers.get("content-type")).toMatch(/^application\/json/);
	});

	it("has the four endpoints of the service document and every error code", () => {
		expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
			"GET /api/v1/sessions",
			"GET /api/v1/sessions/{id}",
			"POST /api/v1/sessions",
			"POST /api/v1/sessions/{id}/messages",
		]);
		expect(document.components.schemas.Error.properties.error.properties.code.enum).toEqual(API_ERROR_CODES);
	});
});

/** Values for a schema: mostly good ones, sometimes none at all, sometimes anything. */
function valuesOf(schema: Json): fc.Arbitrary<unknown> {
	if (schema.$ref) return valuesOf(document.components.schemas[schema.$ref.split("/").at(-1)]);
	const variants = schema.anyOf ?? schema.oneOf;
	if (variants) return fc.oneof(...variants.map(valuesOf));
	if (schema.enum) return fc.constantFrom(...schema.enum);
	if (schema.type === "null") return fc.constant(null);
	if (schema.type === "integer")
		return fc.oneof(fc.integer({ min: schema.minimum ?? -5, max: Math.min(schema.maximum ?? 300, 300) }), fc.integer(), fc.double());
	if (schema.type === "object") {
		const required: string[] = schema.required ?? [];
		return fc.record(Object.fromEntries(Object.entries<Json>(schema.properties ?? {}).map(([name, member]) => [name, valuesOf(member)])), {
			requiredKeys: required,
		});
	}
	if (schema.format === "date-time")
		return fc.oneof(
			fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
			fc.string(),
		);
	return fc.oneof(fc.constantFrom("u", "s1", "hello"), fc.string({ unit: "binary" }), fc.string(), fc.string({ minLength: 480, maxLength: 600 }));
}
const spoilt = (good: fc.Arbitrary<unknown>) =>
	fc.oneof(
		{ weight: 4, arbitrary: good },
		{ weight: 1, arbitrary: fc.jsonValue() },
		{
			weight: 1,
			arbitrary: fc.dictionary(fc.constantFrom("role", "content", "external_id", "end_user_external_id", "title", "__proto__", "created_at"), fc.jsonValue()),
		},
	);

describe("fuzz over the OpenAPI document", () => {
	it.each(operations)("$method $path answers only what is documented, never 5xx", async ({ path, method, operation }) => {
		const ajv = new Ajv2020({ strict: false });
		addFormats(ajv);
		ajv.addSchema(document, "doc");
		const pointer = (status: number, type: string) =>
			`doc#/paths/${path.replaceAll("/", "~1")}/${method.toLowerCase()}/responses/${status}/content/${type.replace("/", "~1")}/schema`.replace(
				/[{}]/g,
				(brace) => encodeURIComponent(brace),
			);
		const { call, newSession, append, finalLog } = await startTestServer();
		const ids = [await newSession(), await newSession()];
		await append(ids[0] as number, { role: "user", content: "doomed", external_id: "m1" });
		const idValues = fc.oneof(
			{ weight: 3, arbitrary: fc.constantFrom(...ids.map(String)) },
			{ weight: 1, arbitrary: fc.oneof(fc.integer().map(String), fc.string({ unit: "grapheme", minLength: 1 })) },
		);
		const query = fc.record(
			Object.fromEntries(
				(operation.parameters as Json[]).filter((parameter) => parameter.in === "query").map((parameter) => [parameter.name, valuesOf(parameter.schema)]),
			),
			{ requiredKeys: [] },
		);
		const bodySchema = operation.requestBody?.content["application/json"]?.schema;
		const seen = new Set<number>();
		await fc.assert(
			fc.asyncProperty(idValues, query, bodySchema ? spoilt(valuesOf(bodySchema)) : fc.constant(undefined), async (id, parameters, body) => {
				const search = new URLSearchParams(Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]));
				const answer = await call(
					method,
					`${path.replace("{id}", encodeURIComponent(id))}?${search}`,
					body === undefined ? {} : { body: JSON.stringify(body) },
				);
				seen.add(answer.status);
				expect(answer.status).toBeLessThan(500);
				const type = (answer.headers.get("content-type") ?? "").split(";")[0] as string;
				const validate = ajv.getSchema(pointer(answer.status, type));
				expect(validate, `${answer.status} ${type} is documented`).toBeTypeOf("function");
				expect(validate?.(answer.body), JSON.stringify(validate?.errors)).toBe(true);
			}),
			{ numRuns: 150 },
		);
		expect(Math.min(...seen)).toBeLessThan(300);
		if (operation.requestBody || operation.parameters.length > 1) expect(Math.max(...seen)).toBeGreaterThanOrEqual(400);
		expect((await finalLog()).filter((line) => line.includes('"level":"error"'))).toEqual([]);
	});
});

describe("/docs and /", () => {
	it.each(["/docs", "/"])("%s is a page without script or outside request, under a strict policy", async (path) => {
		const { call } = await startTestServer();
		const { status, headers, text } = await call("GET", path, { key: null });
		expect(status).toBe(200);
		expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
		expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/);
		expect(text).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|https?:\/\//i);
	});

	it("documents every operation and every schema", async () => {
		const { call } = await startTestServer();
		const { text } = await call("GET", "/docs", { key: null });
		for (const { method, path } of operations) expect(text).toContain(`${method}</span> <code>${path}`);
		for (const [, name] of text.matchAll(/href="#schema-(\w+)"/g)) expect(text).toContain(`id="schema-${name}"`);
		for (const name of Object.keys(document.components.schemas)) expect(text).toContain(`id="schema-${name}"`);
	});
});
