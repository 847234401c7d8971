import { execFile, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { openScorer } from "../../src/lexicon/open-scorer.js";
import { API_ERRORS } from "../../src/server/errors.js";
import { ROUTES } from "../../src/server/routes/v1/index.js";
import { listQuerySchema } from "../../src/server/schemas.js";
import { startTestServer } from "../helpers/start-test-server.js";
import { tempDir } from "../helpers/temp-dir.js";

const run = promisify(execFile);
const text = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");

/** Code blocks in their order. */
const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, code]) => ({ language: language as string, code: code as string }));

async function startDocumentedServer() {
	const server = await startTestServer({ scorer: openScorer({ modelFile: null }) });
	const folder = tempDir();
	const options = { cwd: folder, env: { ...process.env, LABEL_URL: server.url, LABEL_KEY: server.keys.acme } };
	return { ...server, folder, options };
}

/** The document's answer and the real one: the same keys in the same order, the same types of values; lists as far as both go. */
function expectSameShape(actual: unknown, shown: unknown, path = "answer"): void {
	expect([path, shape(actual)]).toEqual([path, shape(shown)]);
	if (Array.isArray(shown))
		for (const [i, item] of shown.entries()) if (i < (actual as unknown[]).length) expectSameShape((actual as unknown[])[i], item, `${path}.${i}`);
	if (shape(shown) !== "object") return;
	if (!path.endsWith(".since")) expect([path, Object.keys(actual as object)]).toEqual([path, Object.keys(shown as object)]);
	for (const [key, value] of Object.entries(shown as object)) expectSameShape((actual as Record<string, unknown>)[key], value, `${path}.${key}`);
}

function shape(value: unknown): string {
	return Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
}

it("docs/api.md: the curl examples run, in their order, and answer what is shown after them", async () => {
	const { options } = await startDocumentedServer();
	let compared = 0;
	for (const [i, { language, code }] of blocks.entries()) {
		if (language !== "sh") continue;
		const { stdout } = await run("bash", ["-eu", "-o", "pipefail", "-c", code], options);
		expect(stdout, code).not.toBe("");
		const next = blocks[i + 1];
		const shown = next?.language === "json" ? JSON.parse(next.code) : undefined;
		if (code.includes("x-ndjson")) {
			const lines = stdout
				.trim()
				.split("\n")
				.map((line) => JSON.parse(line));
			expect(lines.map((line) => line.external_id)).toEqual(["a1", "a2", "a3"]);
			continue;
		}
		const answer = JSON.parse(stdout);
		expect("error" in answer).toBe(shown !== undefined && "error" in shown);
		if (shown === undefined) continue;
		expectSameShape(answer, shown);
		compared++;
	}
	expect(compared).toBe(4);
}, 60_000);

const hasPython = spawnSync("python3", ["--version"]).status === 0;

it.skipIf(!hasPython)(
	"docs/api.md: the TypeScript and the Python program run and say the same",
	async () => {
		const { options, folder, call } = await startDocumentedServer();
		const script = join(folder, "gate.mts");
		writeFileSync(script, blocks.find(({ language }) => language === "ts")?.code as string);
		const typescript = await run(process.execPath, ["--import", import.meta.resolve("tsx"), script], options);
		const [handOver, normal] = typescript.stdout.trim().split("\n");
		expect(handOver).toContain("I'd like a person to talk with you now");
		expect(normal).toBe("Good morning!");
		const python = await run("python3", ["-c", blocks.find(({ language }) => language === "py")?.code as string], options);
		expect(python.stdout).toBe(typescript.stdout);
		const { data } = (await call("GET", "/api/v1/sessions?r_level=R2")).body;
		expect(data.map((session: { external_id: string }) => session.external_id).sort()).toEqual(["chat-2", "chat-4"]);
	},
	60_000,
);

it("docs/api.md names every error code with its status, every list parameter and every open path", () => {
	for (const [code, { status, type }] of Object.entries(API_ERRORS)) {
		expect(text).toContain(`| ${status} | \`${code}\` |`);
		expect(text).toContain(`\`${type}\``);
	}
	for (const name of Object.keys(listQuerySchema.shape)) expect(text).toContain(`| \`${name}\` |`);
	for (const route of ROUTES) expect(text).toContain(`/api/v1${route.path.replace(":id", "1")}`);
	for (const path of ["/healthz", "/readyz", "/metrics", "/openapi.json", "/docs"]) expect(text).toContain(`\`${path}\``);
});
