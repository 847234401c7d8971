import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "../../src/cli/program.js";
import { ERROR_CODES } from "../../src/errors.js";
import { VERSION } from "../../src/version.js";

const root = new URL("../../", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, root), "utf8");
const docs = read("docs/cli.md");
const program = createProgram(
	{ stdout: process.stdout, stderr: process.stderr, stdin: process.stdin, env: {}, signal: new AbortController().signal },
	() => {},
);

/** Every command that does something, with its full name. */
function commands(parent: Command, path: string): [string, Command][] {
	return parent.commands.flatMap((command) => {
		const name = `${path} ${command.name()}`;
		return command.commands.length > 0 ? commands(command, name) : [[name, command] as [string, Command]];
	});
}

test.each(commands(program, "label"))("docs/cli.md has %s with all its flags, and its help ends with examples", (name, command) => {
	const section = docs.split(/^### /m).find((part) => part.startsWith(`${name}\n`)) ?? "";
	expect(section, `a section "### ${name}"`).not.toBe("");
	const missing = command.options.filter(({ hidden, long }) => !hidden && long && !section.includes(long)).map(({ long }) => long);
	expect(missing).toEqual([]);
	const environment = command.options.flatMap(({ envVar }) => (envVar ? [envVar] : []));
	expect(environment.filter((variable) => !section.includes(variable))).toEqual([]);
	expect(section).toContain("Examples:");
});

test("docs/cli.md explains every code of errors and rejects", () => {
	expect(ERROR_CODES.filter((code) => !docs.includes(`| \`${code}\` |`))).toEqual([]);
});

test("the files that the README links to are there, and the version is that of the package", () => {
	const links = [...read("README.md").matchAll(/\]\((docs\/[\w.-]+)\)/g)].map(([, path]) => path as string);
	expect(links.length).toBeGreaterThan(4);
	for (const link of links) expect(read(link).length).toBeGreaterThan(100);
	expect(JSON.parse(read("package.json")).version).toBe(VERSION);
});
