// Compiles src/core/model/convolution.assembly.ts (AssemblyScript) into src/core/model/convolution-wasm.ts:
//   node scripts/build-assembly.mjs
// The result is committed, so that neither users nor `npm run build` need the compiler; a test compares it with its source.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import asc from "assemblyscript/asc";

const SOURCE = new URL("../src/core/model/convolution.assembly.ts", import.meta.url);
const RESULT = new URL("../src/core/model/convolution-wasm.ts", import.meta.url);

/** Text of the generated TypeScript file. */
export async function compile() {
	const { error, stderr, binary } = await asc.compileString(readFileSync(SOURCE, "utf8"), {
		runtime: "stub",
		optimizeLevel: 3,
		noAssert: true,
		enable: ["simd"],
	});
	if (error) throw new Error(`${error.message}\n${stderr}`);
	return `/** WebAssembly module in base64, made from convolution.assembly.ts by scripts/build-assembly.mjs. */
export const CONVOLUTION_WASM =
	"${Buffer.from(binary).toString("base64")}";
`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeFileSync(RESULT, await compile());
