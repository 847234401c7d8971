/** A server as a process of its own, with the fake scorer: `serve-process.ts <db>`. Prints its address, one line, when it listens. */
import { startServer } from "../../src/server/index.js";
import { createFakeScorer } from "./fake-scorer.js";

const server = await startServer({ db: process.argv[2] as string, scorer: createFakeScorer(), port: 0 });
process.stdout.write(`${server.url}\n`);
process.on("SIGTERM", () => void server.close());
