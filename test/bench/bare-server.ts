/**
 * The bare program that `bench:api` compares with: node:http and better-sqlite3, no validation, no key, no scoring. It stores the same rows in the same
 * tables with the same durability. `bare-server.ts <db> <group|each>`: appends of one turn of the event loop in one transaction, or one each.
 */
import { createServer, type ServerResponse } from "node:http";
import Database from "better-sqlite3";

const [path, mode] = process.argv.slice(2) as [string, "group" | "each"];
const database = new Database(path);
database.pragma("synchronous = FULL");
database.pragma("wal_autocheckpoint = 250");
database.pragma("foreign_keys = ON");
database.pragma("secure_delete = ON");

const columns = database.prepare("SELECT * FROM messages LIMIT 1").get() as Record<string, unknown>;
const { session_id: _session, turn: _turn, ...model } = columns;
const names = Object.keys(model);
const insert = database.prepare(`INSERT INTO messages (${names.join(", ")}) VALUES (${names.map((name) => `@${name}`).join(", ")})`);
const head = database.prepare<[number], { message_count: number; state: string }>("SELECT message_count, state FROM sessions WHERE id = ?");
const update = database.prepare("UPDATE sessions SET message_count = ?, last_message_at = ?, state = ? WHERE id = ?");

function append(session: number, body: Buffer): string {
	const { content } = JSON.parse(body.toString()) as { content: string };
	const { message_count, state } = head.get(session) as { message_count: number; state: string };
	const id = session * 2 ** 20 + message_count;
	insert.run({ ...model, id, content, created_at: Date.now(), external_id: null });
	update.run(message_count + 1, Date.now(), state, session);
	return JSON.stringify({ ...model, id });
}

let queue: { session: number; body: Buffer; response: ServerResponse }[] = [];
const flush = database.transaction((writes: typeof queue) => writes.map(({ session, body }) => append(session, body)));

createServer((request, response) => {
	const chunks: Buffer[] = [];
	request.on("data", (chunk: Buffer) => chunks.push(chunk));
	request.on("end", () => {
		if (mode === "group" && queue.length > 0) {
			queue.push({ session: Number(request.url?.split("/")[4]), body: Buffer.concat(chunks), response });
			return;
		}
		queue.push({ session: Number(request.url?.split("/")[4]), body: Buffer.concat(chunks), response });
		if (mode === "group") setImmediate(answer);
		else answer();
	});
}).listen(0, "127.0.0.1", function (this: { address(): { port: number } }) {
	process.stdout.write(`http://127.0.0.1:${this.address().port}\n`);
});

function answer(): void {
	const writes = queue;
	queue = [];
	const bodies = flush.immediate(writes);
	for (const [i, { response }] of writes.entries()) response.writeHead(201, { "Content-Type": "application/json" }).end(bodies[i]);
}
process.on("SIGTERM", () => process.exit());
