import { COVERAGES, R_LEVELS, SIGNALS } from "../types.js";
import { CLEAR, type Store, type SummaryCounts, type TurnColumns } from "./ports.js";
import type { StoredConversation } from "./store-conversations.js";

/** Sessions that show a signal, held in memory at most; of more the database is asked. */
const MOST_SESSIONS = 1_000_000;

/**
 * Counts a tenant's turns while a run stores them, so that the summary at its end need not read the whole database again. That is the truth
 * only where the tenant had no session before and nobody else wrote; otherwise the database is asked.
 */
export class RunTally {
	private readonly version: number | null;
	private turns = 0;
	private readonly byLevel: number[] = R_LEVELS.map(() => 0);
	private readonly byCoverage: number[] = COVERAGES.map(() => 0);
	private readonly bySignal: number[] = SIGNALS.map(() => 0);
	/** Session to the signals it shows, as bits. */
	private readonly signals = new Map<number, number>();

	constructor(
		private readonly store: Store,
		private readonly tenantId: number,
	) {
		this.version = store.transaction(() => (store.sessionCounts(tenantId).sessions === 0 ? store.dataVersion() : null));
	}

	/** Counts what a batch has stored. Not for runs that also remove turns (`--on-conflict replace`). */
	add(columns: TurnColumns, outcomes: readonly StoredConversation[]): void {
		if (this.version === null || this.signals.size > MOST_SESSIONS) return;
		for (const { slices } of outcomes)
			for (const { session_id, start, end } of slices) for (let place = start; place < end; place++) this.addTurn(columns, place, session_id);
	}

	/** The tenant's counts, as `Store.summary` gives them. */
	summary(): SummaryCounts {
		return this.store.transaction(() => {
			if (this.version !== this.store.dataVersion() || this.signals.size > MOST_SESSIONS) return this.store.summary(this.tenantId);
			return {
				...this.store.sessionCounts(this.tenantId),
				turns: this.turns,
				turns_by_level: this.byLevel,
				turns_by_signal: this.bySignal,
				sessions_by_signal: this.sessionsBySignal(),
				turns_by_coverage: this.byCoverage,
			};
		});
	}

	private addTurn({ r_level, coverage, scores }: TurnColumns, place: number, sessionId: number): void {
		this.turns++;
		this.byLevel[r_level[place] as number]! += 1;
		this.byCoverage[coverage[place] as number]! += 1;
		const first = place * SIGNALS.length;
		for (let signal = 0; signal < SIGNALS.length; signal++) {
			if ((scores[first + signal] as number) < CLEAR) continue;
			this.bySignal[signal]! += 1;
			this.signals.set(sessionId, (this.signals.get(sessionId) ?? 0) | (1 << signal));
		}
	}

	private sessionsBySignal(): number[] {
		const counts = SIGNALS.map(() => 0);
		for (const bits of this.signals.values())
			SIGNALS.forEach((_, signal) => {
				if (bits & (1 << signal)) counts[signal]! += 1;
			});
		return counts;
	}
}
