import { SIGNALS, type Signal } from "../../types.js";
import { isOwn } from "../context/read-context.js";
import { LEVEL_HEADS } from "../model/heads.js";
import { type Phrase, strongestPhrases } from "../model/phrases.js";
import type { Predictor } from "../model/predictor.js";
import { addTurnFeatures } from "../model/turn-features.js";
import type { TurnReading } from "../reading.js";

/** Model scores below this round to 0. Weak scores are kept: they show nothing, but a reader who sorts by them finds the likelier turns first. */
const LEAST_SCORE = 0.0005;
/** From this score on a signal that the model alone sees is traced to its strongest phrase (guide, section 8). */
const TRACED_FROM = 0.25;
/** Where the default cuts lie on the risk scale. */
const BANDS = [0, 0.25, 0.5, 0.8, 1] as const;
/**
 * An affirmed, explicit mention keeps its level while the model, which sees the whole turn, gives that level more than this; else the highest level below
 * that it gives more. In 15,162 rows and 711 turns that the models had not read, 0.02 kept 31 false R1-high+ more and no true one (docs/accuracy.md).
 */
const VETO = 0.15;
/** A mention whose signal the model gives less than VETO is not clear (0.5 by the guide): it counts this much at most. */
const REJECTED_MOST = 0.4;

export interface ModelReading {
	/** Risk in [0, 1] by the model, on the scale of the default cuts. */
	risk: number;
	/** The model's score for each signal, in the order of SIGNALS. */
	scores: number[];
	/** Strongest phrase, tokens [first, until), of each signal that is traced. */
	phrases: Partial<Record<Signal, Phrase>>;
}

/** Lets the statistical model read the turn (set-aside mentions are hidden from it). */
export function consultModel(reading: TurnReading, predictor: Predictor): ModelReading {
	const { model, features, probabilities } = predictor;
	features.clear();
	addTurnFeatures(features, reading);
	predictor.predict(reading.tokens, reading.state.before ?? {});
	const scores: number[] = [];
	const traced: Signal[] = [];
	SIGNALS.forEach((signal, at) => {
		const probability = probabilities[LEVEL_HEADS + at] as number;
		const shown = probability < LEAST_SCORE ? 0 : Math.min(probability, 0.99);
		scores.push(shown);
		if (shown >= TRACED_FROM) traced.push(signal);
	});
	return {
		risk: toModelRisk(reading, probabilities, model.cuts),
		scores,
		phrases: tracePhrases(traced, reading, predictor),
	};
}

function tracePhrases(signals: readonly Signal[], { tokens }: TurnReading, { linear, features }: Predictor): ModelReading["phrases"] {
	if (signals.length === 0) return {};
	const heads = signals.map((signal) => LEVEL_HEADS + SIGNALS.indexOf(signal));
	const phrases = strongestPhrases(linear, tokens, heads, features);
	return Object.fromEntries(signals.map((signal, at) => [signal, phrases[at] as Phrase]));
}

/** True when a rule, an answer or the session gives the model a reason to expect risk. */
function hasSupport({ findings, answer, stands, state }: TurnReading): boolean {
	// A mere hint or fact (level 0) is no reason: "by Friday" stands in every booking.
	if (findings.some(({ setAside, level }) => setAside === undefined && level > 0)) return true;
	// Who has just said no gives none, whatever was asked.
	if (answer?.answer === "no" && answer.level < 2) return false;
	return answer !== undefined || stands.ideation || stands.violence || stands["self-harm"] || state.asked.length > 0;
}

/**
 * How sure the model must be when it speaks alone, without any rule's support, before a turn is R1-high or above: in ordinary talk one message in two
 * thousand is a crisis, not one in four as in the corpus. What betrays a false alarm there is doubt whether there is any trouble and which: the sum of
 * the log odds of R1-mid or above and those of the strongest signal. Chosen on ordinary talk against recall (docs/accuracy.md).
 */
const ALONE_LEAST = 2.3;

function isSureAlone(probabilities: Float64Array): boolean {
	const strongest = probabilities.subarray(LEVEL_HEADS).reduce((most, probability) => Math.max(most, probability));
	return toLogOdds(probabilities[0] as number) + toLogOdds(strongest) >= ALONE_LEAST;
}

function toLogOdds(probability: number): number {
	return Math.log(probability / (1 - probability));
}

/** The three level probabilities as one risk: the highest level whose cut, and all cuts below, are reached (above R1-mid with support only, or surely), placed within its band. */
function toModelRisk(reading: TurnReading, probabilities: Float64Array, cuts: Float32Array): number {
	let level = 0;
	while (level < LEVEL_HEADS && (probabilities[level] as number) >= (cuts[level] as number)) level++;
	if (level > 1 && !hasSupport(reading) && !isSureAlone(probabilities)) level = 1;
	const from = BANDS[level] as number;
	const to = BANDS[level + 1] as number;
	return from + (to - from) * 0.98 * placeInBand(level, probabilities);
}

/** A mention's score of a signal, after the model, which sees the whole turn, has been heard. */
export function unlessRejected(score: number, signal: Signal, model: ModelReading | undefined): number {
	return model !== undefined && (model.scores[SIGNALS.indexOf(signal)] as number) < VETO ? Math.min(score, REJECTED_MOST) : score;
}

/** How much the probability of the next level, of the one after, and of R2 from R0 weigh for the place within a band. */
const PLACE_WEIGHTS = [0.4, 0.35, 0.25] as const;

/**
 * 0 at the bottom of the band, 1 at its top, by the uncut probabilities of the levels above: a reader who sorts by risk finds the likelier
 * ones first even where the model alone may not raise the level.
 */
function placeInBand(level: number, probabilities: Float64Array): number {
	if (level === LEVEL_HEADS) return probabilities[LEVEL_HEADS - 1] as number;
	let place = 0;
	let weights = 0;
	for (let head = level; head < LEVEL_HEADS; head++) {
		const weight = PLACE_WEIGHTS[head - level] as number;
		place += weight * (probabilities[head] as number);
		weights += weight;
	}
	return place / weights;
}

/**
 * The turn's severity after rules and model have been heard: the model, which was trained with the rules' findings before it, decides;
 * an affirmed explicit mention keeps at least its level unless the model rejects it (VETO), a clear answer in any case.
 * @returns severity 0 to 3 that the rules insist on
 */
export function ruleFloor(reading: TurnReading, probabilities: Float64Array): number {
	let floor = 0;
	for (const finding of reading.findings) {
		if (!isOwn(finding) || !finding.rule.explicit) continue;
		let level = finding.level;
		while (level > floor && (probabilities[level - 1] as number) <= VETO) level--;
		floor = Math.max(floor, level);
	}
	return Math.max(floor, reading.answer?.level ?? 0);
}
