import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openInput, type ReadOptions } from "../../src/readers/index.js";
import { readAll } from "../helpers/read-all.js";
import { tempDir } from "../helpers/temp-dir.js";
import { type ZipFileEntry, zip } from "../helpers/zip.js";

const GOOD = '{"id":"good","turns":[{"role":"user","content":"fine"}]}\n';

function write(name: string, content: string | Buffer): string {
	const path = join(tempDir(), name);
	writeFileSync(path, content);
	return path;
}

async function read(name: string, content: string | Buffer, options: ReadOptions = {}) {
	const input = await openInput(write(name, content), options);
	const { conversations, rejects } = await readAll(input);
	return {
		format: input.format,
		sessions: conversations.map(({ external_id }) => external_id),
		codes: rejects.map(({ code }) => code),
		rejects,
		conversations,
	};
}

describe("files that can not be read", () => {
	test.each([
		["empty.jsonl", "", "file_empty", "is empty"],
		["blank.jsonl", " \n\r\n\t", "file_empty", "is empty"],
		["mark.jsonl", Buffer.from([0xef, 0xbb, 0xbf]), "file_empty", "is empty"],
		["noise.bin", randomBytes(9000), "format_unknown", "is binary of no format"],
		["zeros.bin", Buffer.alloc(5000), "format_unknown", "is binary of no format"],
		["prose.txt", "Dear diary\ntoday was fine\n", "format_unknown", "is text of no format"],
		["columns.csv", "id,when\n1,2\n", "missing_column", "no column for role, content"],
		["broken.zip", Buffer.concat([Buffer.from("PK\u0003\u0004"), randomBytes(200)]), "archive_unreadable", "no whole zip archive"],
	])("%s", async (name, content, code, words) => {
		const path = write(name, content);
		const attempt = async (): Promise<unknown> => readAll(await openInput(path, {}));
		await expect(attempt()).rejects.toMatchObject({ name: "LabelError", code, message: expect.stringContaining(words) });
	});

	test("a file that is not there, and a folder", async () => {
		const folder = tempDir();
		await expect(openInput(join(folder, "none.jsonl"), {})).rejects.toMatchObject({ code: "file_not_found" });
		mkdirSync(join(folder, "sub"));
		await expect(openInput(join(folder, "sub"), {})).rejects.toMatchObject({ code: "file_unreadable" });
	});

	test("gzip that is cut off fails and says so", async () => {
		const packed = gzipSync(GOOD.repeat(1000));
		const path = write("cut.jsonl.gz", packed.subarray(0, packed.length - 20));
		const attempt = async (): Promise<unknown> => readAll(await openInput(path, {}));
		await expect(attempt()).rejects.toMatchObject({ code: "file_unreadable", message: expect.stringContaining("broken or cut off") });
	});

	test("an unknown format is a usage error that lists the known ones", async () => {
		await expect(openInput(write("a.jsonl", GOOD), { format: "xlsx" })).rejects.toMatchObject({
			code: "usage",
			message: expect.stringContaining("jsonl, csv"),
		});
	});
});

describe("records that can not be read lose nothing else", () => {
	test("a line of 50 MB is a record like any other", async () => {
		const long = `{"id":"long","turns":[{"role":"user","content":"${"x".repeat(50e6)}"}]}\n`;
		const { sessions, codes } = await read("long.jsonl", GOOD + long + GOOD);
		expect({ sessions, codes }).toEqual({ sessions: ["good", "long", "good"], codes: [] });
	});

	test("a line beyond 64 MiB is rejected with its line, and what follows keeps its number", async () => {
		const long = `{"id":"long","turns":[{"role":"user","content":"${"x".repeat(70e6)}"}]}\n`;
		const { conversations, rejects } = await read("longer.jsonl", GOOD + long + GOOD);
		expect(rejects.map(({ code, line, raw }) => ({ code, line, length: raw.length }))).toEqual([{ code: "line_too_long", line: 2, length: 1024 }]);
		expect(conversations.map(({ line }) => line)).toEqual([1, 3]);
	});

	test("a row, and an element of an array, beyond 64 MiB are rejected; the others keep their places", async () => {
		const long = "x".repeat(70e6);
		const csv = await read("longer.csv", `session_id,role,content\na,user,one\nb,user,"${long}"\nc,user,three\n`);
		expect(csv.rejects.map(({ code, line, record }) => ({ code, line, record }))).toEqual([{ code: "line_too_long", line: 3, record: 2 }]);
		expect(csv.conversations.map(({ external_id, line, record }) => ({ external_id, line, record }))).toEqual([
			{ external_id: "a", line: 2, record: 1 },
			{ external_id: "c", line: 4, record: 3 },
		]);
		const array = await read("longer.json", `[${GOOD},{"id":"${long}"},${GOOD}]`);
		expect({ sessions: array.sessions, codes: array.codes }).toEqual({ sessions: ["good", "good"], codes: ["line_too_long"] });
	});

	test("deep JSON, in a line and in an array", async () => {
		const deep = "[".repeat(200_000) + "]".repeat(200_000);
		const lines = await read("deep.jsonl", `${GOOD}{"id":"deep","turns":[{"role":"user","content":${deep}}]}\n${GOOD}`);
		expect(lines.sessions).toEqual(["good", "good"]);
		expect(lines.codes).toHaveLength(1);
		const array = await read("deep.json", `[${GOOD},{"turns":[{"role":"user","content":${deep}}]},${GOOD}]`);
		expect(array.sessions).toEqual(["good", "good"]);
		expect(array.codes).toHaveLength(1);
	});

	test("names that every object has are no roles and no fields", async () => {
		const { codes, sessions } = await read(
			"proto.jsonl",
			`{"id":"__proto__","turns":[{"role":"constructor","content":"x"}]}\n{"id":"__proto__","__proto__":{"turns":1},"turns":[{"role":"user","content":"x"}]}\n`,
		);
		expect({ codes, sessions }).toEqual({ codes: ["unknown_role"], sessions: ["__proto__"] });
	});

	test("no text of a person is in a reject's message", async () => {
		const secret = "my secret sorrow";
		const lines = [
			`{"turns":[{"role":"${secret}","content":"${secret}"}]}`,
			`{"turns":["${secret}"]}`,
			`{"turns":[{"role":"user","content":{"${secret}":1}}]}`,
			`{"x":"${secret}"`,
			`"${secret}"`,
		];
		const { rejects } = await read("secret.jsonl", `${GOOD}${lines.join("\n")}\n`);
		expect(rejects).toHaveLength(lines.length);
		for (const { message, raw } of rejects) {
			expect(message).not.toContain("secret");
			expect(raw).toContain(secret);
		}
	});

	test("property: every line is read or rejected, once, in whatever order good and bad ones stand", async () => {
		const line = fc.oneof(
			fc.nat(5).map((session) => ({ text: JSON.stringify({ session_id: `s${session}`, role: "user", content: "hello" }), isGood: true })),
			fc.nat(5).map((id) => ({ text: JSON.stringify({ id, turns: [{ role: "bot", content: "a" }] }), isGood: true })),
			fc
				.constantFrom("{", "[1", '{"id":1,"turns":[]}', '{"session_id":"s","role":"??","content":"x"}', "\u0000", '"\ud800"', "null")
				.map((text) => ({ text, isGood: false })),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 30 }), async (lines) => {
				const { conversations, rejects } = await read("mixed.jsonl", GOOD + lines.map(({ text }) => `${text}\n`).join(""));
				const good = conversations.reduce((sum, { records }) => sum + records, 0);
				expect(good).toBe(1 + lines.filter(({ isGood }) => isGood).length);
				expect(rejects.map(({ line: at }) => at)).toEqual(lines.flatMap(({ isGood }, at) => (isGood ? [] : [at + 2])));
			}),
			{ numRuns: 60 },
		);
	});
});

describe("archives", () => {
	const entry = (name: string, text: string | Buffer): ZipFileEntry => ({ name, data: typeof text === "string" ? Buffer.from(text) : text });

	test("a zip bomb is one reject, and the rest is read", async () => {
		const blank = Buffer.alloc(1 << 20, " ");
		blank[blank.length - 1] = 10;
		const bomb = Buffer.concat([Buffer.from(GOOD), ...Array.from({ length: 200 }, () => blank)]);
		const { sessions, rejects } = await read("bomb.zip", zip([entry("a.jsonl", GOOD), { name: "b.jsonl", data: bomb }, entry("c.jsonl", GOOD)]));
		expect(sessions).toEqual(["good", "good", "good"]);
		expect(rejects).toMatchObject([{ code: "archive_unreadable", message: expect.stringContaining("zip bomb") }]);
	});

	test("an entry that lies about its size is one reject", async () => {
		const lying = { ...entry("a.jsonl", GOOD.repeat(100)), claimedSize: 10 };
		const { sessions, codes } = await read("lie.zip", zip([lying, entry("b.jsonl", GOOD)]));
		expect({ sessions, codes }).toEqual({ sessions: ["good"], codes: ["archive_unreadable"] });
	});

	test.each(["../../outside.jsonl", "/etc/outside.jsonl", "a\\..\\outside.jsonl"])("an archive with the name %j is refused", async (name) => {
		await expect(read("path.zip", zip([entry("a.jsonl", GOOD), entry(name, GOOD)]))).rejects.toMatchObject({ code: "archive_unreadable" });
	});

	test("an archive without anything to read says so", async () => {
		await expect(read("none.zip", zip([entry("a.png", "x")]))).rejects.toMatchObject({ code: "archive_unreadable" });
	});

	test("a compressed file within an archive is read", async () => {
		const { sessions } = await read("nested.zip", zip([entry("a.jsonl.gz", gzipSync(GOOD))]));
		expect(sessions).toEqual(["good"]);
	});
});
