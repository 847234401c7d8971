/**
 * `npm run bench`: `label run` against the tools that only load the same turns, as ratios in one run on one machine: every case in turn, some
 * rounds of that, the best time of each (the machine's other work only ever adds). Needs Debian's `sqlite3` and `sqlite-utils` for the
 * comparisons; without one of them its line says so. `LABEL_BENCH_TURNS` and `LABEL_BENCH_ROUNDS` change the size.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openScorer } from "../../src/lexicon/open-scorer.js";

const TURNS = Number(process.env.LABEL_BENCH_TURNS ?? 1_000_000);
const ROUNDS = Number(process.env.LABEL_BENCH_ROUNDS ?? 3);
const TURNS_A_SESSION = 10;
const BINARY = new URL("../../bin/label.js", import.meta.url).pathname;
/**
 * What people type on an ordinary day. The corpus's ordinary rows are look-alikes on purpose; of real talk one turn in fifteen holds a phrase that
 * a rule looks at (6.5% of goemotions, clinc150, topical_chat and conda), and so it is here.
 */
const ORDINARY = messagesOf("ordinary.tsv", "ordinary-plain.tsv", "bookings.tsv", "comments.tsv").filter(({ level }) => level === "R0");
const MENTION_EVERY = 15;
const [PLAIN, LOOK_ALIKES] = splitByMention(ORDINARY);
/** And one turn in so many of those that are not ordinary: real crises are rarer still. */
const GRAVE = messagesOf("suicidality-plain.tsv").filter(({ level }) => level !== "R0");
const GRAVE_EVERY = 500;
const TURN_CHARACTERS = 100;

const folder = mkdtempSync(join(tmpdir(), "label-bench-"));
try {
	await main();
} finally {
	rmSync(folder, { recursive: true, force: true });
}

interface Case {
	name: string;
	command: string;
	args(db: string): string[];
	/** Best time so far, in seconds, and largest memory, in MiB. */
	seconds: number;
	memory: number;
}

function label(name: string, input: string, ...args: string[]): Case {
	return toCase(name, process.execPath, (db) => [BINARY, "run", input, ...args, "--db", db, "--quiet"]);
}

function toCase(name: string, command: string, args: Case["args"]): Case {
	return { name, command, args, seconds: Number.POSITIVE_INFINITY, memory: 0 };
}

async function main(): Promise<void> {
	const files = { conversations: join(folder, "conversations.jsonl"), messages: join(folder, "messages.jsonl"), csv: join(folder, "messages.csv") };
	writeInputs(files);
	const full = label("label run, a conversation a line", files.conversations);
	const none = label("label run --scorer none", files.conversations, "--scorer", "none");
	const utils = toCase("sqlite-utils insert (loads only)", "sqlite-utils", (db) => ["insert", db, "messages", files.messages, "--nl"]);
	const shell = toCase("sqlite3 .import (loads only)", "sqlite3", (db) => [db, ".mode csv", `.import ${files.csv} messages`]);
	const shapes = [label("label run, a message a line", files.messages), label("label run, CSV", files.csv)];
	const noneShapes = [label("--scorer none, a message a line", files.messages, "--scorer", "none"), label("--scorer none, CSV", files.csv, "--scorer", "none")];
	const cases = [full, utils, none, shell, ...shapes, ...noneShapes].filter(({ command }) => isInstalled(command));
	for (let round = 0; round < ROUNDS; round++) for (const each of cases) await time(each);
	console.log(`${TURNS.toLocaleString("en")} turns, ${TURNS_A_SESSION} a session; best of ${ROUNDS} interleaved rounds; Node ${process.version}`);
	for (const each of cases) report(each, full);
	if (cases.includes(utils)) console.log(`label run is ${(utils.seconds / full.seconds).toFixed(2)} times as fast as sqlite-utils insert (wanted: 2.5)`);
	if (cases.includes(shell)) console.log(`label run --scorer none reaches ${(shell.seconds / none.seconds).toFixed(2)} of sqlite3 .import (wanted: 0.7)`);
}

function report({ name, seconds, memory }: Case, base: Case): void {
	const rate = Math.round(TURNS / seconds).toLocaleString("en");
	console.log(
		`${name.padEnd(36)} ${rate.padStart(9)} turns/s   ratio ${(base.seconds / seconds).toFixed(2).padStart(5)}   ${memory.toFixed(0).padStart(4)} MiB`,
	);
}

function isInstalled(command: string): boolean {
	if (!spawnSync(command, ["--version"]).error) return true;
	console.log(`${command} is not installed: apt-get install ${command}`);
	return false;
}

/** Runs the case once, into a new database. */
async function time(each: Case): Promise<void> {
	const db = join(folder, "bench.db");
	const begun = performance.now();
	const child = spawn(each.command, each.args(db), { stdio: "ignore" });
	const watch = setInterval(() => {
		each.memory = Math.max(each.memory, peakMemory(child.pid as number));
	}, 50);
	const [status] = await once(child, "exit");
	each.seconds = Math.min(each.seconds, (performance.now() - begun) / 1000);
	clearInterval(watch);
	if (status !== 0) throw new Error(`${each.name} ended with status ${status}`);
	for (const suffix of ["", "-wal", "-shm", ".rejects.jsonl"]) rmSync(`${db}${suffix}`, { force: true });
}

/** Peak resident memory of a process in MiB, as Linux counts it; 0 where it does not. */
function peakMemory(pid: number): number {
	try {
		return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
	} catch {
		return 0;
	}
}

/** Single messages of corpus files. */
function messagesOf(...files: string[]): { level: string; text: string }[] {
	return files.flatMap((file) =>
		readFileSync(new URL(`../../fixtures/corpus/${file}`, import.meta.url), "utf8")
			.split("\n")
			.map((line) => line.split("\t"))
			.flatMap(([level, , text]) => (level && text && !text.includes(" ||| ") && !text.includes("\\n") ? [{ level, text }] : [])),
	);
}

/** Messages in which no rule finds anything, and the others. */
function splitByMention(messages: readonly { level: string; text: string }[]): [{ text: string }[], { text: string }[]] {
	const scorer = openScorer({ modelFile: null });
	const hasMention = ({ text }: { text: string }): boolean => {
		const { label, set_aside } = scorer.explain(scorer.start(), { role: "user", content: text });
		return label.evidence.length + set_aside.length > 0;
	};
	return [messages.filter((message) => !hasMention(message)), messages.filter(hasMention)];
}

/** Messages of one day until there are about TURN_CHARACTERS of them. */
function contentOf(random: (below: number) => number): string {
	const pick = (from: readonly { text: string }[]): string => from[random(from.length)]?.text as string;
	let content = pick(random(GRAVE_EVERY) === 0 ? GRAVE : random(MENTION_EVERY) === 0 ? LOOK_ALIKES : PLAIN);
	while (content.length < TURN_CHARACTERS / 2) content += ` ${pick(PLAIN)}`;
	return content.length > 1.5 * TURN_CHARACTERS ? content.slice(0, content.lastIndexOf(" ", 1.5 * TURN_CHARACTERS)) : content;
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
			content: contentOf(random),
			created_at: new Date(1_767_225_600_000 + session * 60_000 + turn * 1000).toISOString(),
		}));
		writeSync(targets[0], `${JSON.stringify({ external_id: `s${session}`, messages: turns })}\n`);
		for (const turn of turns) {
			writeSync(targets[1], `${JSON.stringify({ session_id: `s${session}`, ...turn })}\n`);
			writeSync(targets[2], `s${session},${turn.role},"${turn.content.replaceAll('"', '""')}",${turn.created_at}\n`);
		}
	}
	for (const target of targets) closeSync(target);
}
