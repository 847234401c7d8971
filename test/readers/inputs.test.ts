import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Block, expandInputs, openInput, parseBlock } from "../../src/readers/index.js";
import { toRole } from "../../src/readers/roles.js";
import { toTime } from "../../src/readers/time.js";
import { readAll } from "../helpers/read-all.js";
import { tempDir } from "../helpers/temp-dir.js";

describe("expandInputs", () => {
	function folder(): string {
		const root = tempDir();
		mkdirSync(join(root, "sub"));
		for (const name of ["b.jsonl", "a.csv", ".hidden.jsonl", "sub/c.jsonl", "odd[1].jsonl"]) writeFileSync(join(root, name), "x");
		symlinkSync(join(root, "a.csv"), join(root, "z-link.csv"));
		return root;
	}

	test("folders recursively, in order, without hidden files; links to files count", () => {
		expect(expandInputs([folder()]).map((path) => basename(path))).toEqual(["a.csv", "b.jsonl", "odd[1].jsonl", "c.jsonl", "z-link.csv"]);
	});

	test("globs; a name that exists is a name; nothing twice; - stays", () => {
		const root = folder();
		expect(
			expandInputs([join(root, "**/*.jsonl")])
				.map((path) => basename(path))
				.sort(),
		).toEqual(["b.jsonl", "c.jsonl", "odd[1].jsonl"]);
		expect(expandInputs(["-", join(root, "odd[1].jsonl"), join(root, "odd[1].jsonl")])).toEqual(["-", join(root, "odd[1].jsonl")]);
	});

	test("what is not there is named", () => {
		const root = folder();
		expect(() => expandInputs([join(root, "none.jsonl")])).toThrow("none.jsonl does not exist");
		expect(() => expandInputs([join(root, "*.xml")])).toThrow("no file matches");
	});
});

describe("times", () => {
	test("property: an ISO time with zone is what Date.parse says", () => {
		fc.assert(
			fc.property(fc.date({ min: new Date("0100-01-01T00:00:00Z"), max: new Date("9999-12-31T00:00:00Z"), noInvalidDate: true }), (date) => {
				expect(toTime(date.toISOString())).toBe(date.getTime());
				expect(toTime(`${date.toISOString().slice(0, 19)}Z`)).toBe(Math.floor(date.getTime() / 1000) * 1000);
				// Without a zone it is UTC, on whatever machine.
				expect(toTime(date.toISOString().slice(0, 23).replace("T", " "))).toBe(date.getTime());
			}),
		);
	});

	test("seconds, milliseconds, microseconds, as number or text", () => {
		for (const value of [1772359200, 1772359200_000, 1772359200_000_000, "1772359200", "1772359200.0"]) expect(toTime(value)).toBe(1772359200_000);
		expect([null, undefined, ""].map(toTime)).toEqual([null, null, null]);
	});

	test.each(["yesterday", "2026-13-01T00:00:00Z", "2026-01-01T25:00:00Z", {}, true, Number.NaN, 1e300])("%j is no time", (value) => {
		expect(() => toTime(value)).toThrow("ISO 8601");
	});
});

describe("roles", () => {
	test.each([
		["human", "user"],
		["GPT", "assistant"],
		["end-user", "user"],
		["developer", "system"],
		["function", "tool"],
		[" Visitor ", "user"],
	])("%s is %s", (written, role) => expect(toRole(written, undefined)).toBe(role));

	test("--role-map comes first", () => {
		expect(toRole("Agent", { agent: "user" })).toBe("user");
		expect(() => toRole("x", { x: "nonsense" })).toThrow('the role "x" is not known');
	});
});

describe("blocks", () => {
	/** A file of some megabytes whose sessions are interleaved. */
	function bigFile(): string {
		const path = join(tempDir(), "big.jsonl");
		const line = (at: number): string => JSON.stringify({ session_id: `s${at % 7}`, role: "user", content: `${at} ${"é🙂".repeat(40)}` });
		writeFileSync(path, Array.from({ length: 20_000 }, (_, at) => `${line(at)}\r\n`).join(""));
		return path;
	}

	test("several blocks hold every line once, in order, with its number; each may be transferred", async () => {
		const input = await openInput(bigFile(), {});
		if (input.kind !== "block") throw new Error("not a block format");
		const blocks: Block[] = [];
		for await (const block of input.blocks()) blocks.push(structuredClone(block, { transfer: [block.bytes.buffer as ArrayBuffer] }));
		expect(blocks.length).toBeGreaterThan(2);
		const pieces = blocks.flatMap((block) => parseBlock(input.format, block, structuredClone(input.options)).conversations);
		for (let session = 0; session < 7; session++) {
			const numbers = pieces
				.filter(({ external_id }) => external_id === `s${session}`)
				.flatMap(({ messages }) => messages.map(({ content }) => Number.parseInt(content, 10)));
			expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => at * 7 + session));
		}
		expect(pieces.reduce((sum, { records }) => sum + records, 0)).toBe(20_000);
		for (const { firstLine, bytes } of blocks) expect(Buffer.from(bytes).toString("utf8", 0, 80)).toContain(`"${firstLine - 1} é`);
	});
});

describe("options", () => {
	async function readText(text: string, options: object): Promise<unknown> {
		const path = join(tempDir(), "input.jsonl");
		writeFileSync(path, text);
		const { conversations } = await readAll(await openInput(path, options));
		return conversations.map(({ messages }) => messages.map(({ content }) => content));
	}

	test("sortBy puts messages in order of time; those without a time stay behind the one before them", async () => {
		const turn = (content: string, created_at?: number): object => ({ role: "user", content, created_at });
		const text = JSON.stringify({ turns: [turn("0"), turn("3", 1772359230), turn("3b"), turn("1", 1772359210), turn("2", 1772359220)] });
		expect(await readText(text, { sortBy: "created_at" })).toEqual([["0", "1", "2", "3", "3b"]]);
		expect(await readText(text, {})).toEqual([["0", "3", "3b", "1", "2"]]);
	});

	test("format names a shape: other records are rejected", async () => {
		expect(await readText('{"id":"x","turns":[{"role":"user","content":"hi"}]}', { format: "chatgpt" })).toEqual([]);
	});
});

describe("standard input", () => {
	/** Reads `input` in a process of its own, as `-`. */
	function readStdin(input: Buffer): { status: number | null; out: string } {
		const program = `
			import { openInput, readInput } from ${JSON.stringify(new URL("../../src/readers/index.ts", import.meta.url).href)};
			try {
				for await (const record of readInput(await openInput("-", {}))) console.log(record.external_id ?? record.code);
			} catch (error) { console.log(error.code + ": " + error.message); process.exitCode = 1; }`;
		const { status, stdout } = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], { input });
		return { status, out: stdout.toString().trim() };
	}
	const line = '{"id":"piped","turns":[{"role":"user","content":"hello"}]}\n';

	test("plain and gzip; bad lines are rejects", () => {
		expect(readStdin(Buffer.from(`${line}{\n`))).toEqual({ status: 0, out: "piped\ninvalid_json" });
		expect(readStdin(gzipSync(line))).toEqual({ status: 0, out: "piped" });
	});

	test("nothing, and an archive, are refused with a reason", () => {
		expect(readStdin(Buffer.alloc(0))).toEqual({ status: 1, out: "file_empty: standard input is empty" });
		expect(readStdin(Buffer.from("PK\u0003\u0004xxxx")).out).toContain("archive_unreadable: a zip archive can not be read from standard input");
	});
});
