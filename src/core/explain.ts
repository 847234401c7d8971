import type { Evidence, Scores, SetAside, Signal } from "../types.js";
import { SIGNALS } from "../types.js";
import type { Finding } from "./context/finding.js";
import type { TurnReading } from "./reading.js";
import { unlessRejected } from "./risk/fuse.js";
import { round } from "./risk/levels.js";

/** What each further mention of a signal adds: a tenth of its score, of what is left. */
const FURTHER = 0.1;
/** Mentions below this are not worth a reader's time, and a score without evidence can not be traced. */
const LEAST_SCORE = 0.1;

/** A reason that may become evidence, with its own score of its signal. */
interface Piece {
	score: number;
	evidence: Evidence;
}

/** Scores and evidence of a turn: contributions of a signal add up to its score, the strongest piece first. */
export function weigh(reading: TurnReading): { scores: Scores; evidence: Evidence[] } {
	const scores = noScores();
	const shown: Evidence[] = [];
	for (const { score, evidence } of collectPieces(reading)) {
		const { signal } = evidence;
		if (signal !== null) {
			if (score < LEAST_SCORE) continue;
			const before = scores[signal];
			const after = round(before === 0 ? score : before + FURTHER * score * (1 - before));
			scores[signal] = after;
			evidence.contribution = round(after - before);
		}
		shown.push(evidence);
	}
	addModelScores(reading, scores, shown);
	return { scores, evidence: shown };
}

/** All pieces, the strongest first. */
function collectPieces(reading: TurnReading): Piece[] {
	const pieces: Piece[] = [];
	const { answer, turn, findings } = reading;
	for (const finding of findings) if (finding.setAside === undefined) addPieces(pieces, finding, reading);
	if (answer !== undefined) {
		const { signal, score, topic } = answer;
		const rule = `answer.${topic}.${answer.answer}`;
		pieces.push({ score, evidence: { signal, start: 0, end: turn.content.length, text: turn.content, rule, modifiers: ["answer"], contribution: 0 } });
	}
	if (pieces.length > 1) pieces.sort((left, right) => right.score - left.score || left.evidence.start - right.evidence.start);
	return pieces;
}

/** Where the model sees more than the rules, its score stands, and the evidence says so and names its strongest phrase. */
function addModelScores(reading: TurnReading, scores: Scores, evidence: Evidence[]): void {
	const { model, tokens, turn } = reading;
	if (model === undefined) return;
	SIGNALS.forEach((signal, at) => {
		const score = round(model.scores[at] as number);
		const before = scores[signal];
		if (score <= before) return;
		const phrase = model.phrases[signal];
		if (phrase === undefined || phrase.until === 0) {
			// Too weak to be traced: it may stand alone, but not on top of evidence, which has to add up to the score.
			if (before === 0) scores[signal] = score;
			return;
		}
		scores[signal] = score;
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

function addPieces(pieces: Piece[], finding: Finding, reading: TurnReading): void {
	const { rule, score, modifiers } = finding;
	const { start, end, text } = place(finding, reading);
	const add = (signal: Signal | null, own: number): void => {
		const heard = signal === null ? own : unlessRejected(own, signal, reading.model);
		pieces.push({ score: heard, evidence: { start, end, text, rule: rule.id, modifiers, signal, contribution: 0 } });
	};
	const count = pieces.length;
	if (rule.signal !== null && score > 0) add(rule.signal, score);
	const share = rule.score === 0 ? 1 : score / rule.score;
	if (rule.also !== undefined) for (const [signal, also] of Object.entries(rule.also) as [Signal, number][]) add(signal, round(Math.min(1, also * share)));
	if (pieces.length === count && (finding.level > 0 || Object.keys(finding.facts).length > 0)) add(null, 0);
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
