import type Database from "better-sqlite3";
import type { SummaryCounts } from "../services/ports.js";
import { COVERAGES, R_LEVELS, SIGNALS } from "../types.js";

/** A score from which a signal counts as clearly present (labelling guide, section 2). */
const CLEAR = 0.5;

/** Counts of one tenant, in one pass over its sessions and one over its messages. */
export function createSummary(database: Database.Database): (tenantId: number) => SummaryCounts {
	const levels = R_LEVELS.map((_, i) => `count(*) FILTER (WHERE r_level = ${i})`);
	const ofSessions = database.prepare<[number], number[]>(`SELECT count(*), ${levels.join(", ")} FROM sessions WHERE tenant_id = ?`).raw();
	const clear = SIGNALS.map((signal) => `count(*) FILTER (WHERE m.${signal} >= ${CLEAR})`);
	const coverages = COVERAGES.map((_, i) => `count(*) FILTER (WHERE m.coverage = ${i})`);
	// Messages of other tenants are passed over by the join; one row a session keeps the distinct count of sessions without a sort.
	const ofMessages = database
		.prepare<[number], (number | null)[]>(
			`SELECT sum(turns), ${sums("l", R_LEVELS.length)}, ${sums("s", SIGNALS.length)}, ${SIGNALS.map((_, i) => `count(*) FILTER (WHERE s${i} > 0)`).join(", ")}, ${sums("c", COVERAGES.length)} FROM (
				SELECT count(*) AS turns, ${aliased(
					R_LEVELS.map((_, i) => `count(*) FILTER (WHERE m.r_level = ${i})`),
					"l",
				)}, ${aliased(clear, "s")}, ${aliased(coverages, "c")}
				FROM sessions s CROSS JOIN messages m ON m.id >= s.id << 20 AND m.id < (s.id + 1) << 20
				WHERE s.tenant_id = ? GROUP BY s.id
			)`,
		)
		.raw();

	return (tenantId) => {
		const [sessions = 0, ...sessionsByLevel] = ofSessions.get(tenantId) as number[];
		const counts = (ofMessages.get(tenantId) as (number | null)[]).map((count) => count ?? 0);
		const take = (count: number) => counts.splice(0, count);
		const [turns = 0] = take(1);
		return {
			sessions,
			turns,
			sessions_by_level: sessionsByLevel,
			turns_by_level: take(R_LEVELS.length),
			turns_by_signal: take(SIGNALS.length),
			sessions_by_signal: take(SIGNALS.length),
			turns_by_coverage: take(COVERAGES.length),
		};
	};
}

function aliased(expressions: readonly string[], name: string): string {
	return expressions.map((expression, i) => `${expression} AS ${name}${i}`).join(", ");
}

function sums(name: string, count: number): string {
	return Array.from({ length: count }, (_, i) => `sum(${name}${i})`).join(", ");
}
