/**
 * `npm run bench:api`: durable appends a second through `label serve` (built, with the shipped scorer, its log written) against a bare node:http + better-sqlite3 program that
 * stores the same rows with the same durability, in one run on one machine; this process is the client. Rounds are interleaved, figures are medians.
 * Then the cost of an append to a short and to a long session.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { openScorer } from "../../src/lexicon/open-scorer.js";
import { createSessions } from "../../src/services/sessions.js";
import { createTenants } from "../../src/services/tenants.js";
import { openStore } from "../../src/store/open-store.js";

const SESSIONS = 2000;
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 5);
const CONTENT = "i had a long day at work and the train was late again, so dinner was cold; how was yours, anything new?";
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "label-bench-"));

interface Target {
	name: string;
	command: (db: string) => string[];
	/** The address in the first line that the process prints. */
	url: (line: string) => string;
}

const bare = (mode: string): Target => ({
	name: `bare, ${mode === "group" ? "group commit" : "one transaction each"}`,
	command: (db) => ["--import", "tsx", join(root, "test/bench/bare-server.ts"), db, mode],
	url: (line) => line,
});
const TARGETS: readonly Target[] = [
	bare("group"),
	bare("each"),
	{ name: "label serve", command: (db) => [join(root, "bin/label.js"), "serve", "--db", db, "--port", "0", "--json"], url: (line) => JSON.parse(line).url },
];

/** A database with the sessions, one turn in each. */
function prepare(db: string): string {
	const store = openStore(db);
	const tenants = createTenants({ store });
	const { tenant, api_key } = tenants.create("bench");
	const sessions = createSessions({ store, scorer: openScorer() });
	store.transaction(() => {
		for (let i = 1; i <= SESSIONS; i++)
			sessions.storeConversation(tenant.id, {
				external_id: `s${i}`,
				end_user_external_id: `u${i % 100}`,
				title: null,
				started_at: 1,
				messages: [{ role: "user", content: CONTENT, external_id: null, created_at: 1 }],
			});
	});
	store.close();
	return api_key;
}

async function withServer<T>(target: Target, work: (url: string, key: string) => Promise<T>): Promise<T> {
	const db = join(folder, `${Math.random()}.db`);
	const key = prepare(db);
	const child = spawn(process.execPath, target.command(db), { stdio: ["ignore", "pipe", "ignore"], cwd: root });
	try {
		const [line] = (await once(createInterface(child.stdout), "line")) as [string];
		return await work(target.url(line), key);
	} finally {
		child.kill("SIGTERM");
		await once(child, "exit");
	}
}

interface Load {
	rate: number;
	p50: number;
	p99: number;
}

async function load(target: Target, connections: number): Promise<Load> {
	return withServer(target, async (url, key) => {
		let next = 0;
		const options = {
			url,
			connections,
			method: "POST" as const,
			headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
			body: JSON.stringify({ role: "user", content: CONTENT }),
			requests: [{ setupRequest: (request: autocannon.Request) => ({ ...request, path: `/api/v1/sessions/${(next++ % SESSIONS) + 1}/messages` }) }],
		};
		await autocannon({ ...options, duration: 2 });
		const result = await autocannon({ ...options, duration: SECONDS });
		if (result.non2xx + result.errors > 0) throw new Error(`${target.name}: ${result.non2xx} bad answers, ${result.errors} errors`);
		return { rate: result["2xx"] / result.duration, p50: result.latency.p50, p99: result.latency.p99 };
	});
}

/** Median time of an append to a session of `lengths` turns each, alternating, in milliseconds. */
async function appendCost(lengths: readonly number[]): Promise<number[]> {
	return withServer(TARGETS[2] as Target, async (url, key) => {
		const post = async (path: string, body: string, type = "application/json") => {
			const response = await fetch(`${url}/api/v1/${path}`, { method: "POST", headers: { Authorization: `Bearer ${key}`, "Content-Type": type }, body });
			return response.text();
		};
		const ids: number[] = [];
		const line = JSON.stringify({ role: "user", content: CONTENT });
		for (const length of lengths) {
			const { id } = JSON.parse(await post("sessions", JSON.stringify({ end_user_external_id: "u" }))) as { id: number };
			await post(`sessions/${id}/messages`, Array.from({ length }, () => line).join("\n"), "application/x-ndjson");
			ids.push(id);
		}
		const times: number[][] = lengths.map(() => []);
		for (let i = 0; i < 600; i++) {
			const which = i % lengths.length;
			const begun = performance.now();
			await post(`sessions/${ids[which]}/messages`, line);
			if (i >= 100) times[which]?.push(performance.now() - begun);
		}
		return times.map(median);
	});
}

function median(values: readonly number[]): number {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

try {
	console.log(
		`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}; ${ROUNDS} rounds of ${SECONDS} s, ${SESSIONS} sessions, ${CONTENT.length} characters a message`,
	);
	for (const connections of (process.env["BENCH_CONNECTIONS"] ?? "16,64").split(",").map(Number)) {
		const rounds = new Map<string, Load[]>(TARGETS.map(({ name }) => [name, []]));
		for (let round = 0; round < ROUNDS; round++) for (const target of TARGETS) rounds.get(target.name)?.push(await load(target, connections));
		const [base] = [...rounds.values()].map((loads) => ({ rate: median(loads.map(({ rate }) => rate)), p99: median(loads.map(({ p99 }) => p99)) }));
		for (const [name, loads] of rounds) {
			const rate = median(loads.map((each) => each.rate));
			const p99 = median(loads.map((each) => each.p99));
			const ratios = base === undefined ? "" : `ratio ${(rate / base.rate).toFixed(2)}, p99 ${(p99 / base.p99).toFixed(2)} times`;
			console.log(
				`${connections} connections, ${name.padEnd(27)} ${rate.toFixed(0).padStart(6)} appends/s  p50 ${median(loads.map((each) => each.p50))} ms  p99 ${p99} ms  ${ratios}`,
			);
		}
	}
	const [short = 0, long = 0] = await appendCost([1, 10_000]);
	console.log(
		`one append, one connection: session of 1 turn ${short.toFixed(2)} ms, of 10,000 turns ${long.toFixed(2)} ms, ratio ${(long / short).toFixed(2)}`,
	);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
