import type { SummaryCounts } from "../services/ports.js";
import type { RunCounts, RunResult } from "../services/run.js";
import type { Sessions } from "../services/sessions.js";
import { COVERAGES, type Coverage, R_LEVELS, type RLevel, SIGNALS, type Signal } from "../types.js";
import { toTable } from "../writers/table.js";
import { inert } from "./inert.js";
import type { Output } from "./io.js";

/** What `label run` says at its end. Levels, signals and coverage count all that the tenant has in the database, the rest this run. */
export interface RunSummary extends RunCounts {
	sessions: number;
	turns: number;
	sessions_by_level: Record<RLevel, number>;
	turns_by_level: Record<RLevel, number>;
	turns_by_signal: Record<Signal, number>;
	sessions_by_signal: Record<Signal, number>;
	coverage: Record<Coverage, number>;
	seconds: number;
	turns_per_second: number;
	files: RunResult["files"];
	top_sessions: {
		id: number;
		external_id: string;
		end_user_external_id: string;
		title: string | null;
		r_level: RLevel;
		srs: number | null;
		message_count: number;
	}[];
}

const MOST_TOP = 10;

/** @param seconds how long the run took */
export function toSummary(
	sessions: Sessions,
	tenantId: number,
	counts: SummaryCounts,
	{ result, seconds }: { result: RunResult; seconds: number },
): RunSummary {
	const named = <Name extends string>(names: readonly Name[], values: readonly number[]): Record<Name, number> =>
		Object.fromEntries(names.map((name, at) => [name, values[at] ?? 0])) as Record<Name, number>;
	return {
		sessions: counts.sessions,
		turns: counts.turns,
		sessions_by_level: named(R_LEVELS, counts.sessions_by_level),
		turns_by_level: named(R_LEVELS, counts.turns_by_level),
		turns_by_signal: named(SIGNALS, counts.turns_by_signal),
		sessions_by_signal: named(SIGNALS, counts.sessions_by_signal),
		coverage: named(COVERAGES, counts.turns_by_coverage),
		...result.counts,
		seconds: Math.round(seconds * 1000) / 1000,
		turns_per_second: Math.round(result.counts.turns_in / Math.max(seconds, 0.001)),
		files: result.files,
		top_sessions: sessions
			.list(tenantId, { order: "risk", limit: MOST_TOP })
			.data.map(({ id, external_id, end_user_external_id, title, r_level, srs, message_count }) => ({
				id,
				external_id,
				end_user_external_id,
				title,
				r_level,
				srs,
				message_count,
			})),
	};
}

const STYLES = { R0: "dim", "R1-mid": "yellow", "R1-high": "magenta", R2: "red" } as const;
const BAR_CELLS = 30;

/** The summary for people. @param db path to name in the hint at the end; undefined when nothing was kept */
export function summaryText(summary: RunSummary, output: Output, db: string | undefined): string {
	const number = (value: number): string => value.toLocaleString("en");
	const lines = [
		`${number(summary.sessions)} sessions, ${number(summary.turns)} turns${db ? ` in ${db}` : ""}`,
		`this run: ${number(summary.stored)} turns stored, ${number(summary.skipped)} already stored, ${number(summary.rejected_turns)} rejected; ${number(summary.turns_per_second)} turns a second`,
		"",
		"level      sessions    turns",
	];
	for (const level of [...R_LEVELS].reverse()) {
		const share = summary.sessions === 0 ? 0 : summary.sessions_by_level[level] / summary.sessions;
		const bar = "#".repeat(Math.ceil(share * BAR_CELLS));
		lines.push(
			`${output.paint(STYLES[level], level.padEnd(8))} ${number(summary.sessions_by_level[level]).padStart(10)} ${number(summary.turns_by_level[level]).padStart(8)}  ${output.paint(STYLES[level], bar)}`.trimEnd(),
		);
	}
	const signals = SIGNALS.filter((signal) => summary.turns_by_signal[signal] > 0);
	if (signals.length > 0)
		lines.push(
			"",
			toTable(
				["signal (score 0.5 or more)", "sessions", "turns"],
				signals.map((signal) => [signal, summary.sessions_by_signal[signal], summary.turns_by_signal[signal]]),
			).trimEnd(),
		);
	const unread = summary.coverage.none;
	if (unread > 0)
		lines.push(
			"",
			`${number(unread)} ${unread === 1 ? "turn was" : "turns were"} not read (coverage none: another language, no letters, binary); ${unread === 1 ? "its" : "their"} level says nothing`,
		);
	const top = summary.top_sessions.filter(({ srs }) => (srs ?? 0) > 0);
	if (top.length > 0) {
		const rows = top.map(({ id, external_id, end_user_external_id, r_level, srs, message_count, title }) => [
			r_level,
			(srs ?? 0).toFixed(3),
			id,
			cut(external_id),
			cut(end_user_external_id),
			message_count,
			cut(title ?? ""),
		]);
		lines.push("", "riskiest sessions", toTable(["level", "srs", "id", "session", "end user", "turns", "title"], rows).trimEnd());
	}
	if (db) lines.push("", `look closer: label sessions show <id> --db ${db}`);
	return lines.join("\n");
}

function cut(text: string): string {
	const plain = inert(text);
	return plain.length > 40 ? `${plain.slice(0, 39)}\u2026` : plain;
}
