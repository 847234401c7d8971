/**
 * `npm run bench`: `label run` against the tools that only load the same turns, as ratios in one run on one machine.
 * Needs Debian's `sqlite3` and `sqlite-utils` for the comparisons; without one of them its line says so.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TURNS = Number(process.env.LABEL_BENCH_TURNS ?? 200_000);
const TURNS_A_SESSION = 10;
const BINARY = new URL("../../bin/label.js", import.meta.url).pathname;
const WORDS =
	"the and was with have this that from they about would there their what when make like time just know take people into year your good some could them see other than then now look only come over think also back after use two how our work first well way even new want because any these give day most us could tired work sister mum phone game exam weekend rent shift money friend dinner bus train laptop code really never always".split(
		" ",
	);

const folder = mkdtempSync(join(tmpdir(), "label-bench-"));
try {
	main();
} finally {
	rmSync(folder, { recursive: true, force: true });
}

function main(): void {
	const files = { conversations: join(folder, "conversations.jsonl"), messages: join(folder, "messages.jsonl"), csv: join(folder, "messages.csv") };
	writeInputs(files);
	const label = (name: string, ...args: string[]): number =>
		seconds(name, () => execFileSync(process.execPath, [BINARY, "run", ...args, "--db", join(folder, `${name}.db`), "--quiet"], { stdio: "ignore" }));
	const full = label("full", files.conversations);
	const none = label("none", files.conversations, "--scorer", "none");
	report("label run, a conversation a line", full, full);
	report("label run, a message a line", label("messages", files.messages), full);
	report("label run, CSV", label("csv", files.csv), full);
	report("label run --scorer none", none, full);
	const utils = peer("sqlite-utils", ["insert", join(folder, "utils.db"), "messages", files.messages, "--nl"]);
	const shell = peer("sqlite3", [join(folder, "shell.db"), ".mode csv", `.import ${files.csv} messages`]);
	if (utils !== null) report("sqlite-utils insert (loads only)", utils, full);
	if (shell !== null) report("sqlite3 .import (loads only)", shell, full);
	if (utils !== null) console.log(`label run is ${(utils / full).toFixed(2)} times as fast as sqlite-utils insert (wanted: 2.5)`);
	if (shell !== null) console.log(`label run --scorer none reaches ${(shell / none).toFixed(2)} of sqlite3 .import (wanted: 0.7)`);
}

function report(name: string, time: number, base: number): void {
	console.log(
		`${name.padEnd(40)} ${Math.round(TURNS / time)
			.toLocaleString("en")
			.padStart(10)} turns/s   ratio ${(base / time).toFixed(2)}`,
	);
}

/** Seconds of a peer; null, and said, when it is not installed. */
function peer(command: string, args: string[]): number | null {
	if (spawnSync(command, ["--version"]).error) {
		console.log(`${command} is not installed: apt-get install ${command}`);
		return null;
	}
	return seconds(command, () => execFileSync(command, args, { stdio: "ignore" }));
}

function seconds(_name: string, work: () => void): number {
	const begun = performance.now();
	work();
	return (performance.now() - begun) / 1000;
}

/** The same turns in three shapes: about 100 characters a turn. */
function writeInputs({ conversations, messages, csv }: { conversations: string; messages: string; csv: string }): void {
	const targets = [conversations, messages, csv].map((path) => openSync(path, "w")) as [number, number, number];
	writeSync(targets[2], "session_id,role,content,created_at\n");
	let seed = 1;
	const random = (below: number): number => {
		seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
		return seed % below;
	};
	for (let session = 0; session * TURNS_A_SESSION < TURNS; session++) {
		const turns = Array.from({ length: TURNS_A_SESSION }, (_, turn) => ({
			role: turn % 2 === 0 ? "user" : "assistant",
			content: Array.from({ length: 20 }, () => WORDS[random(WORDS.length)]).join(" "),
			created_at: new Date(1_767_225_600_000 + session * 60_000 + turn * 1000).toISOString(),
		}));
		writeSync(targets[0], `${JSON.stringify({ external_id: `s${session}`, messages: turns })}\n`);
		for (const turn of turns) {
			writeSync(targets[1], `${JSON.stringify({ session_id: `s${session}`, ...turn })}\n`);
			writeSync(targets[2], `s${session},${turn.role},${turn.content},${turn.created_at}\n`);
		}
	}
	for (const target of targets) closeSync(target);
}
