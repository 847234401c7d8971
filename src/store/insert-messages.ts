import type Database from "better-sqlite3";
import { MAX_TURNS, type MessageStore, type TurnColumns } from "../services/ports.js";
import { SIGNALS, type Signal } from "../types.js";

/** Where a column's values stand: that of turn `i` at place `i * step + from`. */
interface Source {
	column: string;
	of(columns: TurnColumns): ArrayLike<unknown>;
	step: number;
	from: number;
}

/** Rows of one INSERT: 20 are 45% faster than one, 100 no faster (measured). */
const ROWS = 20;

/** Columns that differ from row to row. A NaN is stored as NULL: SQLite has no other. */
const OWN: readonly Source[] = [
	plain("role", ({ role }) => role),
	plain("content_hash", ({ content_hash }) => content_hash),
	plain("created_at", ({ created_at }) => created_at),
	plain("content", ({ content }) => content),
];

/**
 * Columns that often hold one value in all rows of an INSERT, in groups that mostly do so together: such a group is bound once. Binding is half
 * the cost of an insert, and most turns show nothing. Few groups, since each mixture of them is a statement to be prepared.
 */
const GROUPS: readonly (readonly Source[])[] = [
	[plain("external_id", ({ external_id }) => external_id)],
	[plain("prs", ({ prs }) => prs), plain("session_srs", ({ session_srs }) => session_srs)],
	[plain("r_level", ({ r_level }) => r_level), plain("session_r_level", ({ session_r_level }) => session_r_level)],
	[plain("coverage", ({ coverage }) => coverage), plain("language", ({ language }) => language)],
	scores((signal) => !isRare(signal)),
	scores(isRare),
	[plain("imminence", ({ imminence }) => imminence)],
	[plain("evidence", ({ evidence }) => evidence)],
];

/** Signals that few conversations show at all. */
function isRare(signal: Signal): boolean {
	return ["self_harm", "harm_to_others", "psychosis", "substance_misuse", "disordered_eating"].includes(signal);
}

function plain(column: string, of: Source["of"]): Source {
	return { column, of, step: 1, from: 0 };
}

function scores(takes: (signal: Signal) => boolean): Source[] {
	return SIGNALS.flatMap((signal, from) =>
		takes(signal) ? [{ column: signal, of: (columns: TurnColumns) => columns.scores, step: SIGNALS.length, from }] : [],
	);
}

/** Exact in a double up to 2^33 sessions. */
export function messageId(sessionId: number, turn: number): number {
	return sessionId * MAX_TURNS + turn;
}

/** Makes the `insert` of the table `messages`. */
export function createMessageInsert(database: Database.Database): MessageStore["insert"] {
	const statements = new Map<number, Database.Statement>();
	const ids = new Float64Array(ROWS);
	const places = new Uint32Array(ROWS);

	/** Inserts the turns at the first `count` of `places`. */
	function insertRows(columns: TurnColumns, count: number, scorerVersionId: number): void {
		const isShared = GROUPS.map((group) => group.every((source) => isOne(source, columns, places, count)));
		// Bits of the shared groups and the number of rows name the statement.
		const key = isShared.reduce((bits, shared) => bits * 2 + (shared ? 1 : 0), 0) * (ROWS + 1) + count;
		let statement = statements.get(key);
		if (statement === undefined) {
			statement = database.prepare(insertSql(isShared, count));
			statements.set(key, statement);
		}
		const shared: Record<string, unknown> = { scorer_version_id: scorerVersionId };
		const varying = [...OWN];
		for (const [at, group] of GROUPS.entries()) {
			if (!isShared[at]) varying.push(...group);
			else for (const { column, of, step, from } of group) shared[column] = of(columns)[(places[0] as number) * step + from];
		}
		// Spread: arguments are bound a fourth faster than the elements of an array.
		statement.run(shared, ...rowValues(varying, columns, count));
	}

	/** Row by row the id and what varies; null where the columns have nothing, as of content that is not kept. */
	function rowValues(varying: readonly Source[], columns: TurnColumns, count: number): unknown[] {
		const width = varying.length + 1;
		const values: unknown[] = new Array(count * width);
		for (let row = 0; row < count; row++) values[row * width] = ids[row];
		varying.forEach(({ of, step, from }, at) => {
			const source = of(columns);
			for (let row = 0; row < count; row++) values[row * width + at + 1] = source[(places[row] as number) * step + from] ?? null;
		});
		return values;
	}

	return (turns, slices, { scorerVersionId, keepContent }) => {
		const columns = keepContent ? turns : { ...turns, content: [] };
		let count = 0;
		for (const { session_id, turn, start, end } of slices) {
			for (let place = start; place < end; place++) {
				ids[count] = messageId(session_id, turn + place - start);
				places[count] = place;
				if (++count < ROWS) continue;
				insertRows(columns, count, scorerVersionId);
				count = 0;
			}
		}
		if (count > 0) insertRows(columns, count, scorerVersionId);
	};
}

/** Whether the turns at the first `count` places have one value. */
function isOne({ of, step, from }: Source, columns: TurnColumns, places: Uint32Array, count: number): boolean {
	const values = of(columns);
	const first = values[(places[0] as number) * step + from];
	for (let row = 1; row < count; row++) if (values[(places[row] as number) * step + from] !== first) return false;
	return true;
}

/** Named parameters for what the rows share, then row by row the id and what varies. */
function insertSql(isShared: readonly boolean[], count: number): string {
	const shared = ["scorer_version_id", ...GROUPS.flatMap((group, at) => (isShared[at] ? group : [])).map(({ column }) => column)];
	const own = ["id", ...[...OWN, ...GROUPS.flatMap((group, at) => (isShared[at] ? [] : group))].map(({ column }) => column)];
	const row = `(${[...shared.map((column) => `@${column}`), ...own.map(() => "?")].join(", ")})`;
	return `INSERT INTO messages (${[...shared, ...own].join(", ")}) VALUES ${Array.from({ length: count }, () => row).join(", ")}`;
}
