import type Database from "better-sqlite3";
import { CLEAR, type SessionCounts, type SummaryCounts } from "../services/ports.js";
import { COVERAGES, R_LEVELS, SIGNALS } from "../types.js";

/** The tenant's messages; those of others are passed over by the join. */
const MESSAGES = "sessions s CROSS JOIN messages m ON m.id >= s.id << 20 AND m.id < (s.id + 1) << 20 WHERE s.tenant_id = ?";

/** Number of sessions of one tenant, in all and by level. */
export function createSessionCounts(database: Database.Database): (tenantId: number) => SessionCounts {
	const count = database.prepare<[number], number[]>(`SELECT count(*), ${filters("r_level =", R_LEVELS)} FROM sessions WHERE tenant_id = ?`).raw();
	return (tenantId) => {
		const [sessions = 0, ...sessions_by_level] = count.get(tenantId) as number[];
		return { sessions, sessions_by_level };
	};
}

/** Counts of one tenant: one pass over its sessions, two over its messages, of which the second groups only the few that show a signal. */
export function createSummary(database: Database.Database): (tenantId: number) => SummaryCounts {
	const sessionCounts = createSessionCounts(database);
	const ofTurns = database
		.prepare<[number], number[]>(`SELECT count(*), ${filters("m.r_level =", R_LEVELS)}, ${filters("m.coverage =", COVERAGES)} FROM ${MESSAGES}`)
		.raw();
	const clear = SIGNALS.map((signal) => `m.${signal} >= ${CLEAR}`);
	const ofSignals = database
		.prepare<[number], (number | null)[]>(
			`SELECT ${each((i) => `sum(s${i})`)}, ${each((i) => `count(*) FILTER (WHERE s${i} > 0)`)} FROM (
				SELECT ${each((i) => `count(*) FILTER (WHERE ${clear[i]}) AS s${i}`)} FROM ${MESSAGES} AND (${clear.join(" OR ")}) GROUP BY s.id
			)`,
		)
		.raw();

	return (tenantId) => {
		const [turns = 0, ...byTurn] = ofTurns.get(tenantId) as number[];
		const bySignal = (ofSignals.get(tenantId) as (number | null)[]).map((count) => count ?? 0);
		return {
			...sessionCounts(tenantId),
			turns,
			turns_by_level: byTurn.slice(0, R_LEVELS.length),
			turns_by_signal: bySignal.slice(0, SIGNALS.length),
			sessions_by_signal: bySignal.slice(SIGNALS.length),
			turns_by_coverage: byTurn.slice(R_LEVELS.length),
		};
	};
}

function filters(condition: string, words: readonly string[]): string {
	return words.map((_, i) => `count(*) FILTER (WHERE ${condition} ${i})`).join(", ");
}

function each(expression: (i: number) => string): string {
	return SIGNALS.map((_, i) => expression(i)).join(", ");
}
