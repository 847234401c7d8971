// Runs dependency-cruiser and proves that it saw the modules: with a TypeScript that it can not read it sees none and passes.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";

const files = readdirSync("src", { recursive: true }).filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts")).length;
let output;
try {
	output = execFileSync("npx", ["depcruise", "src", "--config", ".dependency-cruiser.cjs", "--output-type", "json"], { encoding: "utf8", maxBuffer: 1 << 28 });
} catch (error) {
	output = error.stdout;
}
const { summary, modules } = JSON.parse(output);
const seen = modules.filter(({ source }) => source.startsWith("src/")).length;
for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} -> ${to}`);
const comments = Object.fromEntries((summary.ruleSetUsed?.forbidden ?? []).map(({ name, comment }) => [name, comment]));
for (const name of new Set(summary.violations.map(({ rule }) => rule.name))) console.error(`  ${name}: ${comments[name] ?? ""}`);
if (seen < files) console.error(`dependency-cruiser saw ${seen} of ${files} modules`);
console.log(`import rules: ${seen} modules seen, ${summary.violations.length} violations`);
process.exitCode = summary.violations.length > 0 || seen < files ? 1 : 0;
