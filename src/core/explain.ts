import type { Evidence, Scores, SetAside, Signal } from "../types.js";
import { SIGNALS } from "../types.js";
import type { Finding } from "./context/finding.js";
import type { TurnReading } from "./reading.js";
import { round } from "./risk/levels.js";

/** What each further mention of a signal adds: a tenth of its score, of what is left. */
const FURTHER = 0.1;
/** Mentions below this are not worth a reader's time, and a score without evidence can not be traced. */
const LEAST_SCORE = 0.1;

interface Piece extends Omit<Evidence, "contribution"> {
	score: number;
}

/** Scores and evidence of a turn: contributions of a signal add up to its score, the strongest piece first. */
export function weigh(reading: TurnReading): { scores: Scores; evidence: Evidence[] } {
	const scores = noScores();
	const evidence: Evidence[] = [];
	const pieces = reading.findings.filter(({ setAside }) => setAside === undefined).flatMap((finding) => toPieces(finding, reading));
	const { answer, turn } = reading;
	if (answer !== undefined) {
		pieces.push({
			signal: answer.signal,
			start: 0,
			end: turn.content.length,
			text: turn.content,
			rule: `answer.${answer.topic}.${answer.answer}`,
			modifiers: ["answer"],
			score: answer.score,
		});
	}
	pieces.sort((left, right) => right.score - left.score || left.start - right.start);
	for (const { score, ...piece } of pieces) {
		if (piece.signal === null) {
			evidence.push({ ...piece, contribution: 0 });
			continue;
		}
		if (score < LEAST_SCORE) continue;
		const before = scores[piece.signal];
		const after = round(before === 0 ? score : before + FURTHER * score * (1 - before));
		scores[piece.signal] = after;
		evidence.push({ ...piece, contribution: round(after - before) });
	}
	addModelScores(reading, scores, evidence);
	return { scores, evidence };
}

/** Where the model sees more than the rules, its score stands, and the evidence says so and names its strongest phrase. */
function addModelScores(reading: TurnReading, scores: Scores, evidence: Evidence[]): void {
	const { model, tokens, turn } = reading;
	if (model === undefined) return;
	SIGNALS.forEach((signal, at) => {
		const score = round(model.scores[at] as number);
		const before = scores[signal];
		if (score <= before) return;
		scores[signal] = score;
		const phrase = model.phrases[signal];
		if (phrase === undefined || phrase.until === 0) return;
		const start = tokens.start[phrase.first] as number;
		const end = tokens.end[phrase.until - 1] as number;
		evidence.push({ signal, start, end, text: turn.content.slice(start, end), rule: "model", modifiers: [], contribution: round(score - before) });
	});
}

export function noScores(): Scores {
	// Written out: this runs for every turn, and building it from the list of names costs 6% of the whole scorer.
	return {
		suicidal_ideation: 0,
		self_harm: 0,
		harm_to_others: 0,
		hopelessness: 0,
		depression: 0,
		anxiety: 0,
		psychosis: 0,
		isolation: 0,
		substance_misuse: 0,
		disordered_eating: 0,
	};
}

function toPieces(finding: Finding, reading: TurnReading): Piece[] {
	const { rule, score } = finding;
	const base = { ...place(finding, reading), rule: rule.id, modifiers: finding.modifiers };
	const pieces: Piece[] = [];
	if (rule.signal !== null && score > 0) pieces.push({ ...base, signal: rule.signal, score });
	const share = rule.score === 0 ? 1 : score / rule.score;
	for (const [signal, also] of Object.entries(rule.also ?? {}) as [Signal, number][]) pieces.push({ ...base, signal, score: round(Math.min(1, also * share)) });
	if (pieces.length === 0 && (finding.level > 0 || Object.keys(finding.facts).length > 0)) pieces.push({ ...base, signal: null, score: 0 });
	return pieces;
}

function place(finding: Finding, reading: TurnReading): { start: number; end: number; text: string } {
	const start = reading.tokens.start[finding.first] as number;
	const end = reading.tokens.end[finding.until - 1] as number;
	return { start, end, text: reading.turn.content.slice(start, end) };
}

/** The candidates that were seen and set aside, with what set them aside. */
export function listSetAside(reading: TurnReading): SetAside[] {
	return reading.findings.flatMap((finding) =>
		finding.setAside === undefined
			? []
			: [
					{
						signal: finding.rule.signal,
						...place(finding, reading),
						rule: finding.rule.id,
						modifiers: finding.modifiers,
						contribution: 0,
						reason: finding.setAside,
					},
				],
	);
}
