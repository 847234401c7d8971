// Compiles the AssemblyScript files src/core/model/*.assembly.ts into src/core/model/*-wasm.ts:
//   node scripts/build-assembly.mjs
// The results are committed, so that neither users nor `npm run build` need the compiler; a test compares them with their sources.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import asc from "assemblyscript/asc";

const folder = new URL("../src/core/model/", import.meta.url);

/** What is compiled; the generated file of `name` exports NAME_WASM. */
export const NAMES = ["convolution", "linear"];

/** Text of a generated TypeScript file. */
export async function compile(name) {
	const { error, stderr, binary } = await asc.compileString(readFileSync(new URL(`${name}.assembly.ts`, folder), "utf8"), {
		runtime: "stub",
		optimizeLevel: 3,
		noAssert: true,
		enable: ["simd"],
	});
	if (error) throw new Error(`${error.message}\n${stderr}`);
	return `/** WebAssembly module in base64, made from ${name}.assembly.ts by scripts/build-assembly.mjs. */
export const ${name.toUpperCase()}_WASM =
	"${Buffer.from(binary).toString("base64")}";
`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) for (const name of NAMES) writeFileSync(new URL(`${name}-wasm.ts`, folder), await compile(name));
