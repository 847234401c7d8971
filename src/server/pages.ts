import { createHash } from "node:crypto";
import type { Json } from "./openapi.js";

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
code,pre{font:14px/1.4 ui-monospace,monospace}pre{overflow:auto;padding:.75rem;border:1px solid #8886;border-radius:6px}
h2{margin-top:2.5rem;border-top:1px solid #8886;padding-top:1rem}table{border-collapse:collapse}td,th{text-align:left;padding:.2rem .8rem .2rem 0;vertical-align:top}.method{font-weight:700}`;

/** No script, no outside request; the one style by its hash. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** `/`: says that the service runs. */
export function homePage(): string {
	return page(
		"label",
		'<h1>label</h1><p>The API runs under <code>/api/v1</code>. <a href="/docs">Its documentation</a> is here, and as <a href="/openapi.json">OpenAPI 3.1</a>.</p>',
	);
}

/** `/docs`: the OpenAPI document as a page. */
export function docsPage(openApi: Json): string {
	const { info, paths, components } = openApi as {
		info: Record<string, string>;
		paths: Record<string, Record<string, Operation>>;
		components: { schemas: Json };
	};
	const operations = Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => operationSection(method, path, operation)),
	);
	const schemas = Object.entries(components.schemas).map(([name, schema]) => `<h3 id="schema-${escapeHtml(name)}">${escapeHtml(name)}</h3>${code(schema)}`);
	return page(
		`${info["title"]} API`,
		`<h1>${escapeHtml(info["title"])} API ${escapeHtml(info["version"])}</h1><p>${prose(info["summary"])} ${prose(info["description"])}</p>
<p>Every request under <code>/api/v1</code> carries <code>Authorization: Bearer &lt;API key&gt;</code>. Machine-readable: <a href="/openapi.json">openapi.json</a>.</p>
${operations.join("")}<h2>Schemas</h2>${schemas.join("")}`,
	);
}

interface Operation {
	summary: string;
	description: string;
	parameters: { name: string; in: string; required: boolean; description?: string; schema: unknown }[];
	requestBody?: { content: Record<string, { schema: unknown }> };
	responses: Record<string, { description: string; content: Record<string, { schema: unknown }> }>;
}

function operationSection(method: string, path: string, { summary, description, parameters, requestBody, responses }: Operation): string {
	const paragraphs = description.split("\n\n").map((text) => `<p>${prose(text)}</p>`);
	const rows = parameters.map(({ name, in: place, required, description: about, schema }) => [
		name,
		`${place}${required ? ", required" : ""}`,
		about ?? "",
		`<code>${escapeHtml(JSON.stringify(schema))}</code>`,
	]);
	const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => `<p>Body, <code>${escapeHtml(type)}</code>: ${reference(schema)}</p>`);
	const answers = Object.entries(responses).map(([status, { description: about, content }]) => [
		status,
		prose(about),
		Object.entries(content)
			.map(([type, { schema }]) => `${reference(schema)} <code>${escapeHtml(type)}</code>`)
			.join("<br>"),
	]);
	return `<h2><span class="method">${escapeHtml(method.toUpperCase())}</span> <code>${escapeHtml(path)}</code></h2><p><strong>${escapeHtml(summary)}</strong></p>${paragraphs.join("")}${table(rows)}${bodies.join("")}${table(answers)}`;
}

function reference(schema: unknown): string {
	const name = (schema as { $ref?: string }).$ref?.split("/").at(-1);
	return name === undefined ? `<code>${escapeHtml(JSON.stringify(schema))}</code>` : `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`;
}

function table(rows: readonly (readonly string[])[]): string {
	return rows.length === 0 ? "" : `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("")}</table>`;
}

function code(value: unknown): string {
	return `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;
}

/** Text with `code` marks. */
function prose(text: string | undefined): string {
	return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function escapeHtml(text: string | undefined): string {
	return String(text ?? "").replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

function page(title: string, body: string): string {
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>${body}</body></html>`;
}
