import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Builder {
	NAMES: string[];
	compile(name: string): Promise<string>;
}

const { NAMES, compile } = (await import(new URL("../../../scripts/build-assembly.mjs", import.meta.url).href)) as Builder;

test.each(NAMES)("%s-wasm.ts is what its source compiles to", async (name) => {
	expect(await compile(name)).toBe(readFileSync(new URL(`../../../src/core/model/${name}-wasm.ts`, import.meta.url), "utf8"));
});
