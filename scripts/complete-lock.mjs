// Completes package-lock.json after `npm install`: where the registry does not serve the builds of other platforms, npm leaves those optional
// packages out of the lock and `npm ci` then refuses it. Their names and exact versions stand in the packages that want them; platforms are told
// from the names, so that no machine tries to fetch a build that is not its own.
//   npm install && node scripts/complete-lock.mjs
import { readFileSync, writeFileSync } from "node:fs";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const packages = lock.packages;
const SYSTEMS = ["android", "darwin", "win32", "freebsd", "openbsd", "netbsd", "sunos", "aix", "linux", "openharmony"];
const PROCESSORS = ["arm64", "x64", "ia32", "ppc64", "loong64", "mips64el", "riscv64", "s390x", "wasm32", "arm"];
let added = 0;
for (const wanting of Object.values({ ...packages })) {
	for (const [name, version] of Object.entries(wanting.optionalDependencies ?? {})) {
		if (Object.keys(packages).some((key) => key.endsWith(`node_modules/${name}`))) continue;
		const system = SYSTEMS.find((one) => name.includes(one));
		const processor = PROCESSORS.find((one) => name.includes(one));
		packages[`node_modules/${name}`] = {
			version: version.replace(/^[\^~]/, ""),
			...(processor ? { cpu: [processor] } : {}),
			...(wanting.dev ? { dev: true } : {}),
			...(name.includes("musl") ? { libc: ["musl"] } : name.includes("linux") && name.includes("gnu") ? { libc: ["glibc"] } : {}),
			optional: true,
			...(system ? { os: [system] } : {}),
		};
		added++;
	}
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([left], [right]) => (left < right ? -1 : 1)));
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, "\t")}\n`);
console.log(`${added} optional packages of other platforms added to package-lock.json`);
