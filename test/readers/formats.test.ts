import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { FORMATS, openInput, type ReadOptions } from "../../src/readers/index.js";
import { readAll } from "../helpers/read-all.js";

const ROOT = fileURLToPath(new URL("../../fixtures/formats/", import.meta.url));
const folders = (path: string): string[] => readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
const LEAVES = folders(ROOT).flatMap((format) => folders(join(ROOT, format)).map((leaf) => `${format}/${leaf}`));

describe("every fixture of a format is read as its expected.json says", () => {
	test.each(LEAVES)("%s", async (leaf) => {
		const folder = join(ROOT, leaf);
		const file = readdirSync(folder).find((name) => name.startsWith("input.")) as string;
		const optionsFile = join(folder, "options.json");
		const options = existsSync(optionsFile) ? (JSON.parse(readFileSync(optionsFile, "utf8")) as ReadOptions) : {};
		const input = await openInput(join(folder, file), options);
		const { conversations, rejects } = await readAll(input);
		const found = { format: input.format, kind: input.kind, conversations, rejects: rejects.map(({ raw: _raw, ...rest }) => rest) };
		await expect(`${JSON.stringify(found, null, "\t")}\n`).toMatchFileSnapshot(join(folder, "expected.json"));
	});

	test("every format has a fixture", () => {
		const covered = new Set(folders(ROOT));
		// `tsv` is CSV with another delimiter; its fixture is csv/tabs.
		expect(FORMATS.filter((format) => format !== "tsv" && !covered.has(format))).toEqual([]);
	});
});
