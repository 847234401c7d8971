/**
 * Rates of the readers beside the libraries they replace, in one run: `npx tsx test/bench/readers.ts [turns]`. Absolute figures drift with the
 * machine; the ratios are what counts (docs/performance.md).
 */
import { createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse as csvParse } from "csv-parse";
import ndjson from "ndjson";
import { openInput, parseBlock } from "../../src/readers/index.js";
import { toCsvLine } from "../../src/writers/csv.js";

const TURNS = Number(process.argv[2] ?? 300_000);
const TURNS_A_SESSION = 10;
const ROUNDS = 3;

function content(at: number): string {
	const words = ["today", "garden", "maybe", "cannot", "sleep", "again", "train", "please", "later", "coffee"];
	const text = Array.from({ length: 16 }, (_, place) => words[(at * 7 + place * 3) % words.length]).join(" ");
	return at % 2 === 0 ? `${text} é` : at % 5 === 0 ? `${text}, "so" they say` : text;
}

function writeFiles(folder: string): Record<"conversations" | "messages" | "csv" | "array", string> {
	const conversations: string[] = [];
	const messages: string[] = [];
	const rows = [toCsvLine(["session_id", "role", "content", "created_at"])];
	for (let session = 0; session < TURNS / TURNS_A_SESSION; session++) {
		const turns = Array.from({ length: TURNS_A_SESSION }, (_, turn) => ({
			role: turn % 2 === 0 ? "user" : "assistant",
			content: content(session * TURNS_A_SESSION + turn),
			created_at: new Date(1.77e12 + session * 1e5 + turn * 1e3).toISOString(),
		}));
		const name = `session-${session}`;
		conversations.push(JSON.stringify({ external_id: name, end_user_external_id: `u${session % 997}`, messages: turns }));
		for (const turn of turns) {
			messages.push(JSON.stringify({ session_id: name, ...turn }));
			rows.push(toCsvLine([name, turn.role, turn.content, turn.created_at]));
		}
	}
	const files = {
		conversations: join(folder, "conversations.jsonl"),
		messages: join(folder, "messages.jsonl"),
		csv: join(folder, "messages.csv"),
		array: join(folder, "conversations.json"),
	};
	writeFileSync(files.conversations, `${conversations.join("\n")}\n`);
	writeFileSync(files.messages, `${messages.join("\n")}\n`);
	writeFileSync(files.csv, rows.join(""));
	writeFileSync(files.array, `[\n${conversations.join(",\n")}\n]\n`);
	return files;
}

async function label(file: string): Promise<number> {
	const input = await openInput(file, {});
	let turns = 0;
	if (input.kind === "document") {
		for await (const record of input.read()) if ("messages" in record) turns += record.messages.length;
		return turns;
	}
	for await (const block of input.blocks()) for (const { messages } of parseBlock(input.format, block, input.options).conversations) turns += messages.length;
	return turns;
}

/** The main thread's part alone: reading, cutting. */
async function cutOnly(file: string): Promise<number> {
	const input = await openInput(file, {});
	if (input.kind !== "block") throw new Error("no block format");
	let bytes = 0;
	for await (const block of input.blocks()) bytes += block.bytes.length;
	if (bytes === 0) throw new Error("nothing read");
	return TURNS;
}

async function withNdjson(file: string, isConversation: boolean): Promise<number> {
	let turns = 0;
	for await (const record of createReadStream(file).pipe(ndjson.parse())) turns += isConversation ? (record as { messages: unknown[] }).messages.length : 1;
	return turns;
}

async function withCsvParse(file: string): Promise<number> {
	let turns = 0;
	for await (const _row of createReadStream(file).pipe(csvParse({ columns: true }))) turns++;
	return turns;
}

const folder = mkdtempSync(join(tmpdir(), "label-bench-"));
try {
	const files = writeFiles(folder);
	const cases: [string, () => Promise<number>][] = [
		["ndjson, a conversation a line", () => withNdjson(files.conversations, true)],
		["label, a conversation a line", () => label(files.conversations)],
		["ndjson, a message a line", () => withNdjson(files.messages, false)],
		["label, a message a line", () => label(files.messages)],
		["csv-parse, objects", () => withCsvParse(files.csv)],
		["label, CSV", () => label(files.csv)],
		["label, one JSON array", () => label(files.array)],
		["label, cutting conversations only", () => cutOnly(files.conversations)],
		["label, cutting CSV only", () => cutOnly(files.csv)],
	];
	const rates = new Map<string, number[]>();
	for (let round = 0; round < ROUNDS; round++) {
		for (const [name, run] of cases) {
			const begun = performance.now();
			const turns = await run();
			if (turns !== TURNS) throw new Error(`${name}: ${turns} turns instead of ${TURNS}`);
			rates.set(name, [...(rates.get(name) ?? []), turns / (performance.now() - begun)]);
		}
	}
	const median = (name: string): number => [...(rates.get(name) as number[])].sort((left, right) => left - right)[Math.floor(ROUNDS / 2)] as number;
	const sizes = Object.values(files).map((file) => `${Math.round(statSync(file).size / 1e6)} MB`);
	process.stdout.write(
		`${TURNS} turns; files of ${sizes.join(", ")}; Node ${process.version}; median of ${ROUNDS} interleaved rounds; thousand turns a second\n`,
	);
	for (const [name] of cases) process.stdout.write(`${median(name).toFixed(0).padStart(7)}  ${name}\n`);
	const ratio = (of: string, to: string): string => (median(of) / median(to)).toFixed(2);
	process.stdout.write(
		`ratio to ndjson: conversation a line ${ratio("label, a conversation a line", "ndjson, a conversation a line")}, message a line ${ratio("label, a message a line", "ndjson, a message a line")}\n`,
	);
	process.stdout.write(`ratio of CSV to csv-parse ${ratio("label, CSV", "csv-parse, objects")}\n`);
	for (const name of ["label, a message a line", "label, CSV", "label, one JSON array"])
		process.stdout.write(`ratio to conversation a line: ${name.slice(7)} ${ratio(name, "label, a conversation a line")}\n`);
	process.stdout.write(`peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB\n`);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
