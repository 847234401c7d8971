import { isIPv6 } from "node:net";
import { LabelError } from "../errors.js";
import { createSessions } from "../services/sessions.js";
import { createTenants, type Tenants, type TenantWithKey } from "../services/tenants.js";
import { openStore } from "../store/open-store.js";
import type { Scorer } from "../types.js";
import { createApp } from "./app.js";
import { gatherLines, type LineSink } from "./gather-lines.js";
import { GroupCommit } from "./group-commit.js";
import { STOP_TIMEOUT } from "./limits.js";
import { Metrics } from "./metrics.js";

export interface ServerOptions {
	/** Path of the database; made when there is none. */
	db: string;
	scorer: Scorer;
	/** Default `127.0.0.1`. */
	host?: string | undefined;
	/** Default 8787; 0 for any free one. */
	port?: number | undefined;
	/** Must be true for a host that other machines can reach. */
	allowRemote?: boolean | undefined;
	/** Requests a minute and key. Default: no limit. */
	rateLimit?: number | undefined;
	/** Origins whose pages may use the API; `*` for any. Default: none. */
	corsOrigins?: readonly string[] | undefined;
	/** False stores neither text nor evidence text. Default true. */
	keepContent?: boolean | undefined;
	/** Takes JSON lines, some at a time: one a request, one a fault. Default: none. */
	log?: LineSink | null | undefined;
}

export interface RunningServer {
	/** Where it listens, without a slash at the end. */
	url: string;
	/** The tenant `local` with its key, when it was made (or got its first key) now: to be shown once. Else null. */
	created: TenantWithKey | null;
	/** Stops: takes nothing new, lets requests in flight finish, closes the database. */
	close(): Promise<void>;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;
/** How long a write may block the event loop on another process's lock before it is tried again later, in milliseconds. */
const BUSY_TIMEOUT = 15;

/**
 * Opens the database, starts listening.
 * @throws LabelError `usage` (a remote host without leave or without a tenant, a port in use), those of `openStore`
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
	const { host = "127.0.0.1", port = 8787 } = options;
	const isLocal = LOOPBACK.test(host);
	if (!isLocal && !options.allowRemote) {
		throw new LabelError(
			"usage",
			`--host ${host} can be reached from other machines: say --allow-remote, and put TLS in front (keys and messages travel in the clear otherwise)`,
			{ param: "host" },
		);
	}
	// Opening may wait for another process's migration; serving may not.
	openStore(options.db).close();
	const store = openStore(options.db, { durability: "serve", busyTimeout: BUSY_TIMEOUT });
	const commits = new GroupCommit(store);
	const sessions = createSessions({ store, scorer: options.scorer, keepContent: options.keepContent });
	const tenants = createTenants({ store });
	const log = options.log ? gatherLines(options.log) : null;
	const app = createApp({
		store,
		sessions,
		tenants,
		commits,
		metrics: new Metrics(),
		rateLimit: options.rateLimit ?? null,
		corsOrigins: options.corsOrigins ?? [],
		log,
	});
	async function close(): Promise<void> {
		const giveUp = setTimeout(() => app.server.closeAllConnections(), STOP_TIMEOUT);
		await app.close();
		clearTimeout(giveUp);
		await commits.drained();
		log?.flush();
		store.close();
	}
	try {
		const created = await commits.run(() => firstTenant(tenants, isLocal));
		await commits.run(() => sessions.register());
		await app.listen({ host, port });
		const address = app.server.address() as { port: number };
		return { url: `http://${isIPv6(host) ? `[${host}]` : host}:${address.port}`, created, close };
	} catch (error) {
		await close();
		throw toUsage(error, host, port);
	}
}

/** A database in which no tenant has a key would serve nobody: `local` gets one, where only this machine can use it. */
function firstTenant(tenants: Tenants, isLocal: boolean): TenantWithKey | null {
	if (tenants.list().some((tenant) => tenant.has_key)) return null;
	if (!isLocal) throw new LabelError("usage", "no tenant has a key yet: make one with label tenant create NAME");
	tenants.ensure("local");
	return tenants.rotateKey("local");
}

function toUsage(error: unknown, host: string, port: number): unknown {
	const { code } = error as NodeJS.ErrnoException;
	if (code === "EADDRINUSE")
		return new LabelError("usage", `port ${port} of ${host} is in use: choose another with --port (0 for any free one)`, { cause: error, param: "port" });
	if (code === "EACCES")
		return new LabelError("usage", `port ${port} may not be opened by this user: choose one from 1024 up`, { cause: error, param: "port" });
	if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
		return new LabelError("usage", `${host} is no address of this machine`, { cause: error, param: "host" });
	return error;
}
