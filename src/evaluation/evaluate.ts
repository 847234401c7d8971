import { type Evidence, type Label, R_LEVELS, type Scorer, SIGNALS, type Signal } from "../types.js";
import { auroc, type Confusion, confusion, exactAgreement, f1, falsePositiveRate, precisionAtLeast, quadraticKappa, recallAtLeast } from "./agreement.js";
import { bootstrap, type Interval } from "./bootstrap.js";
import type { GoldConversation } from "./gold.js";

/** A labelled turn beside what the scorer said of it. */
export interface JudgedTurn {
	id: string;
	turn: number;
	gold: NonNullable<GoldConversation["turns"][number]["gold"]>;
	label: Label;
}

export interface JudgedConversation {
	id: string;
	turns: JudgedTurn[];
	/** Session level by the annotator and by the scorer; null when the annotator gave none. */
	session: { gold: number; predicted: number } | null;
}

/** Figures by name, each null where nothing could be counted. The names are those of `--require`. */
export type Figures = Record<string, number | null>;

export interface Miss {
	id: string;
	turn: number;
	gold: string;
	predicted: string;
	prs: number;
	evidence: Omit<Evidence, "text">[];
}

export interface Evaluation {
	conversations: number;
	turns: number;
	confusion: Confusion;
	figures: Figures;
	intervals: Record<string, Interval>;
	signals: Record<Signal, { positives: number; auroc: number | null; f1: number | null }>;
	imminence: Record<string, { judged: number; agreed: number }>;
	slices: Record<string, { turns: number; exact: number | null; "recall(R1-high)": number | null; "false_positives(R1-high)": number | null }>;
	worst: Miss[];
}

/** Runs the fold over the gold conversations. */
export function judge(conversations: readonly GoldConversation[], scorer: Scorer): JudgedConversation[] {
	return conversations.map(({ id, turns, gold }) => {
		let state = scorer.start();
		let last: Label | undefined;
		const judged: JudgedTurn[] = [];
		turns.forEach((turn, at) => {
			const result = scorer.step(state, { role: turn.role, content: turn.content });
			state = result.state;
			last = result.label;
			if (turn.gold) judged.push({ id, turn: at, gold: turn.gold, label: result.label });
		});
		return {
			id,
			turns: judged,
			session: gold && last ? { gold: R_LEVELS.indexOf(gold.session_r_level), predicted: R_LEVELS.indexOf(last.session_r_level) } : null,
		};
	});
}

/**
 * All figures of spec 3.2's first version.
 * @param resamples bootstrap samples for the intervals; 0 for none
 * @param worst number of misses to list
 */
export function evaluate(judged: readonly JudgedConversation[], resamples: number, worst: number): Evaluation {
	const turns = judged.flatMap((conversation) => conversation.turns);
	return {
		conversations: judged.length,
		turns: turns.length,
		confusion: confusionOf(turns),
		figures: figuresOf(judged),
		intervals: resamples > 0 ? bootstrap(judged, levelFigures, resamples) : {},
		signals: Object.fromEntries(SIGNALS.map((signal) => [signal, signalFigures(turns, signal)])) as Evaluation["signals"],
		imminence: imminenceByField(turns),
		slices: slicesOf(turns),
		worst: worstMisses(turns, worst),
	};
}

function confusionOf(turns: readonly JudgedTurn[]): Confusion {
	return confusion(
		turns.map(({ gold, label }) => [R_LEVELS.indexOf(gold.r_level), R_LEVELS.indexOf(label.r_level)] as const),
		R_LEVELS.length,
	);
}

/** The figures that the intervals are drawn for. */
function levelFigures(judged: readonly JudgedConversation[]): Figures {
	const counts = confusionOf(judged.flatMap((conversation) => conversation.turns));
	const sessions = judged.flatMap(({ session }) => (session ? [[session.gold, session.predicted] as const] : []));
	return {
		exact: exactAgreement(counts),
		kappa: quadraticKappa(counts),
		"recall(R2)": recallAtLeast(counts, 3, 3),
		"recall(R2,R1-high)": recallAtLeast(counts, 3, 2),
		"recall(R1-high)": recallAtLeast(counts, 2, 2),
		"recall(R1-mid)": recallAtLeast(counts, 1, 1),
		"precision(R2)": precisionAtLeast(counts, 3),
		"precision(R1-high)": precisionAtLeast(counts, 2),
		"false_positives(R2)": falsePositiveRate(counts, 3),
		"false_positives(R1-high)": falsePositiveRate(counts, 2),
		"false_positives(R1-mid)": falsePositiveRate(counts, 1),
		"session.exact": exactAgreement(confusion(sessions, R_LEVELS.length)),
	};
}

function figuresOf(judged: readonly JudgedConversation[]): Figures {
	const turns = judged.flatMap((conversation) => conversation.turns);
	const perSignal = SIGNALS.map((signal) => signalFigures(turns, signal));
	const fields = Object.values(imminenceByField(turns));
	const judgedFields = fields.reduce((sum, { judged: count }) => sum + count, 0);
	const risks = (level: number, isAtLeast: boolean): number[] =>
		turns.filter(({ gold }) => R_LEVELS.indexOf(gold.r_level) >= level === isAtLeast).map(({ label }) => label.prs);
	return {
		...levelFigures(judged),
		"auroc(R1-mid)": auroc(risks(1, true), risks(1, false)),
		"auroc(R1-high)": auroc(risks(2, true), risks(2, false)),
		"auroc(R2)": auroc(risks(3, true), risks(3, false)),
		"signals.auroc": mean(perSignal.map((figures) => figures.auroc)),
		"signals.f1": mean(perSignal.map((figures) => figures.f1)),
		imminence: judgedFields === 0 ? null : fields.reduce((sum, { agreed }) => sum + agreed, 0) / judgedFields,
		...Object.fromEntries(
			SIGNALS.flatMap((signal, at) => [
				[`auroc(${signal})`, perSignal[at]?.auroc ?? null],
				[`f1(${signal})`, perSignal[at]?.f1 ?? null],
			]),
		),
	};
}

/** A score of 0.5 is the guide's "clear"; turns where the signal may be there count on neither side. */
function signalFigures(turns: readonly JudgedTurn[], signal: Signal): { positives: number; auroc: number | null; f1: number | null } {
	const positives: number[] = [];
	const negatives: number[] = [];
	for (const { gold, label } of turns) {
		if (gold.signals.includes(signal)) positives.push(label.scores[signal]);
		else if (!gold.maybe.includes(signal)) negatives.push(label.scores[signal]);
	}
	return { positives: positives.length, auroc: auroc(positives, negatives), f1: f1(positives, negatives, 0.5) };
}

function imminenceByField(turns: readonly JudgedTurn[]): Evaluation["imminence"] {
	const fields: Evaluation["imminence"] = {};
	for (const { gold, label } of turns) {
		for (const [field, value] of Object.entries(gold.imminence)) {
			fields[field] ??= { judged: 0, agreed: 0 };
			const entry = fields[field];
			entry.judged++;
			if ((label.imminence as unknown as Record<string, unknown>)[field] === value) entry.agreed++;
		}
	}
	return fields;
}

/** Slices by the annotator's modifiers, else by those that the scorer applied. */
function slicesOf(turns: readonly JudgedTurn[]): Evaluation["slices"] {
	const groups = new Map<string, JudgedTurn[]>();
	for (const turn of turns) {
		const names = turn.gold.modifiers.length > 0 ? turn.gold.modifiers : [...new Set(turn.label.evidence.flatMap(({ modifiers }) => modifiers))];
		for (const name of names.length > 0 ? names : ["none"]) groups.set(name, [...(groups.get(name) ?? []), turn]);
	}
	return Object.fromEntries(
		[...groups]
			.sort(([left], [right]) => left.localeCompare(right))
			.map(([name, members]) => {
				const counts = confusionOf(members);
				return [
					name,
					{
						turns: members.length,
						exact: exactAgreement(counts),
						"recall(R1-high)": recallAtLeast(counts, 2, 2),
						"false_positives(R1-high)": falsePositiveRate(counts, 2),
					},
				];
			}),
	);
}

/** The misses that cost most: a risky turn called R0 and an ordinary one called risky come first. */
function worstMisses(turns: readonly JudgedTurn[], most: number): Miss[] {
	const cost = ({ gold, label }: JudgedTurn): number => {
		const [is, said] = [R_LEVELS.indexOf(gold.r_level), R_LEVELS.indexOf(label.r_level)];
		return Math.abs(is - said) + (is >= 2 !== said >= 2 ? 1 : 0) + (is > said ? 0.5 : 0);
	};
	return turns
		.filter(({ gold, label }) => gold.r_level !== label.r_level)
		.sort((left, right) => cost(right) - cost(left))
		.slice(0, most)
		.map(({ id, turn, gold, label }) => ({
			id,
			turn,
			gold: gold.r_level,
			predicted: label.r_level,
			prs: label.prs,
			evidence: label.evidence.map(({ text: _text, ...rest }) => rest),
		}));
}

function mean(values: readonly (number | null)[]): number | null {
	const known = values.filter((value) => value !== null);
	return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
