import type { Cue, CueKind } from "../lexicon.js";
import type { IndexedRule, LexiconIndex } from "../match/lexicon-index.js";
import type { MatchBuffer } from "../match/match-buffer.js";
import { severity } from "../risk/levels.js";
import type { TokenBuffer } from "../text/tokens.js";
import type { Finding } from "./finding.js";

/** A cue as it stands in a turn: tokens [first, until). */
export interface FoundCue {
	cue: Cue;
	first: number;
	until: number;
}

/** Caps of the labelling guide, section 3. */
const NEGATED_CAP = 0.25;
const HISTORICAL_CAP = 0.4;
const OTHER_CAP = 0.4;
const FRAME_CAP = 0.2;
const JOKE_FLOOR = 0.4;
const HYPOTHETICAL_SCORE = 0.4;
const INTENSITY_STEP = 0.05;

const FRAMES: readonly CueKind[] = ["fiction", "roleplay", "game", "academic", "quotation"];

/**
 * Sorts a turn's matches into mentions (with their look-alikes already voided) and cues (pseudo-cues already applied). Matches come by rising
 * first token; everything here looks at near neighbours only, so that hostile text costs no more a word than any other.
 */
export function sortMatches(matches: MatchBuffer, index: LexiconIndex, tokens: TokenBuffer): { findings: Finding[]; cues: FoundCue[] } {
	const mentions = new Mentions();
	const cuesOfTurn: FoundCue[] = [];
	for (let at = 0; at < matches.count; at++) {
		const item = index.items[matches.id[at] as number];
		const first = matches.first[at] as number;
		const until = matches.until[at] as number;
		if (item?.kind === "rule") mentions.add(item.rule, item.subject, first, until);
		else if (item?.kind === "cue") cuesOfTurn.push({ cue: item.cue, first, until });
	}
	const findings = [...mentions.all];
	return { findings, cues: findings.length === 0 ? cuesOfTurn : readSurroundings(findings, index, tokens) };
}

/** Voids the mentions whose sentence holds a look-alike of theirs, and returns all cues of the turn. */
function readSurroundings(findings: readonly Finding[], index: LexiconIndex, tokens: TokenBuffer): FoundCue[] {
	const matches = index.surroundings.find(tokens);
	const cues: FoundCue[] = [];
	const voided = new Set<number>();
	const placeOf = (rule: IndexedRule, first: number): number => (tokens.sentence[first] as number) * index.rules.length + rule.index;
	for (let at = 0; at < matches.count; at++) {
		const item = index.items[matches.id[at] as number];
		const first = matches.first[at] as number;
		if (item?.kind === "cue") cues.push({ cue: item.cue, first, until: matches.until[at] as number });
		else if (item?.kind === "unless") voided.add(placeOf(item.rule, first));
	}
	for (const finding of findings) if (voided.has(placeOf(finding.rule, finding.first))) finding.setAside = "look-alike";
	return dropPseudo(cues);
}

/** Collects mentions by rising first token. Of overlapping matches of one rule the longest stands; about the speaker before about others. */
class Mentions {
	readonly all = new Set<Finding>();
	/** Of each rule, the mentions that later matches may still overlap. */
	private readonly open = new Map<IndexedRule, Finding[]>();

	add(rule: IndexedRule, subject: "self" | "other", first: number, until: number): void {
		const known = this.open.get(rule)?.filter((mention) => mention.until > first) ?? [];
		this.open.set(rule, known);
		for (const mention of [...known]) {
			if (until <= mention.first) continue;
			const isBetter = mention.subject === subject ? until - first > mention.until - mention.first : subject === "self";
			if (!isBetter) return;
			this.all.delete(mention);
			known.splice(known.indexOf(mention), 1);
		}
		const level = severity(rule.level);
		const mention: Finding = { rule, first, until, subject, score: rule.score, level, facts: rule.facts ?? {}, modifiers: [], setAside: undefined };
		this.all.add(mention);
		known.push(mention);
	}
}

/** Pseudo-negations ("can't stop", "not only") take the negations that they cover out of play; identical cues count once. */
function dropPseudo(cues: FoundCue[]): FoundCue[] {
	const pseudo = cues.filter(({ cue }) => cue.kind === "pseudo");
	let next = 0;
	let coveredUntil = 0;
	return cues.filter((found, at) => {
		for (; next < pseudo.length && (pseudo[next] as FoundCue).first <= found.first; next++)
			coveredUntil = Math.max(coveredUntil, (pseudo[next] as FoundCue).until);
		if (found.cue.kind === "pseudo") return false;
		if (found.cue.kind === "negation" && coveredUntil >= found.until) return false;
		for (let before = at - 1; before >= 0 && cues[before]?.first === found.first; before--) if (cues[before]?.cue === found.cue) return false;
		return true;
	});
}

/** What surrounds the turn's mentions beyond its own cues. */
export interface TurnFrame {
	/** Frame carried from an earlier turn; null when none. */
	frame: string | null;
	/** The turn says that it is meant in earnest. */
	isSincere: boolean;
}

/** Cues looked at on either side of a mention, more than any sentence of a person holds: keeps the cost of hostile text linear. */
const MOST_CUES = 64;

/** Applies the ConText modifiers to every mention, in place. Mentions and cues come by rising first token. */
export function applyModifiers(findings: Finding[], cues: readonly FoundCue[], tokens: TokenBuffer, turn: TurnFrame): void {
	if (findings.length === 0) return;
	const ofTurn = new Set<CueKind>();
	for (const { cue } of cues) if (cue.direction === "turn") ofTurn.add(cue.kind);
	const isDated = findings.some(({ rule }) => rule.facts?.timeframe !== undefined && rule.facts.timeframe !== "unspecified");
	let next = 0;
	for (const finding of findings) {
		while (next < cues.length && (cues[next] as FoundCue).first < finding.first) next++;
		if (finding.setAside !== undefined) continue;
		const near = cues.slice(Math.max(0, next - MOST_CUES), next + MOST_CUES);
		const stops = near.filter(({ cue }) => cue.kind === "stop" || cue.kind === "clause");
		const found = new Set(ofTurn);
		for (const cue of near) if (!found.has(cue.cue.kind) && reaches(cue, finding, tokens, stops)) found.add(cue.cue.kind);
		modify(finding, found, turn, isDated);
	}
}

/**
 * True when the cue's direction and scope take in the mention, and no stop stands between. A new clause of the speaker's ("and i") ends what
 * is negated or said of somebody else; a time or a condition goes on ("years ago i was ill and i wanted to die").
 */
function reaches({ cue, first, until }: FoundCue, finding: Finding, tokens: TokenBuffer, stops: readonly FoundCue[]): boolean {
	if (cue.direction === "overlap") {
		return cue.kind === "idiom" ? first <= finding.first && until >= finding.until : first < finding.until && until > finding.first;
	}
	if (tokens.sentence[first] !== tokens.sentence[finding.first]) return false;
	const isBefore = until <= finding.first;
	const isAfter = first >= finding.until;
	if (!isBefore && !isAfter) return cue.direction === "both" && cue.kind !== "negation";
	if (isBefore && cue.direction === "backward") return false;
	if (isAfter && cue.direction === "forward") return false;
	const from = isBefore ? until : finding.until;
	const to = isBefore ? finding.first : first;
	if (cue.scope !== undefined && to - from > cue.scope) return false;
	return !stops.some((stop) => stop.first >= from && stop.first < to && (stop.cue.kind === "stop" || cue.kind === "negation" || cue.kind === "other"));
}

/** @param isDated the turn names a day or an hour: a condition with a date is intent (guide, "Conditions") */
function modify(finding: Finding, found: ReadonlySet<CueKind>, turn: TurnFrame, isDated: boolean): void {
	const { rule } = finding;
	const frame = frameOf(rule, found, turn);
	if (frame !== undefined) {
		setAside(finding, `frame:${frame}`);
		return;
	}
	if (rule.negatable !== false && found.has("negation")) {
		negate(finding);
		return;
	}
	if (found.has("other")) finding.subject = "other";
	if (finding.subject === "other") readAboutOther(finding);
	if (found.has("historical")) readAsHistory(finding);
	else if (found.has("recent")) {
		finding.modifiers.push("temporality:recent");
		if (finding.facts.attempt === "historical") finding.facts = { ...finding.facts, attempt: "recent" };
	}
	if (found.has("hypothetical") && !found.has("condition")) readAsHypothetical(finding);
	else if (found.has("condition") && !isDated) readAsCondition(finding);
	if (found.has("ambivalent")) {
		finding.modifiers.push("certainty:ambivalent");
		if (finding.facts.ideation !== undefined && finding.facts.intent === undefined) finding.facts = { ...finding.facts, intent: "ambivalent" };
	}
	if (found.has("joke")) readAsJoke(finding);
	if (found.has("up")) shift(finding, INTENSITY_STEP, "intensity:up");
	else if (found.has("down")) shift(finding, -INTENSITY_STEP, "intensity:down");
}

/** The frame that takes a mention out of earnest; undefined when it is meant. */
function frameOf(rule: IndexedRule, found: ReadonlySet<CueKind>, turn: TurnFrame): string | undefined {
	if (found.has("idiom") || found.has("trivial")) return "idiom";
	if (turn.isSincere) return undefined;
	return FRAMES.find((kind) => found.has(kind)) ?? (rule.explicit && turn.frame === "academic" ? undefined : (turn.frame ?? undefined));
}

function setAside(finding: Finding, reason: string): void {
	finding.modifiers.push(reason);
	finding.setAside = reason;
	finding.score = Math.min(finding.score, FRAME_CAP);
	finding.level = 0;
	finding.facts = {};
}

/** Negated ideation or intent says so; anything else negated is simply not there. */
function negate(finding: Finding): void {
	finding.modifiers.push("negation");
	finding.setAside = "negation";
	finding.score = finding.rule.signal === "suicidal_ideation" ? Math.min(finding.score, NEGATED_CAP) * 0.6 : 0;
	finding.level = 0;
	const isDenial = finding.subject === "self" && (finding.facts.ideation !== undefined || finding.facts.intent === "stated");
	finding.facts = isDenial ? { intent: "denied" } : {};
}

function readAboutOther(finding: Finding): void {
	finding.modifiers.push("experiencer:other");
	finding.score = Math.min(finding.score, OTHER_CAP);
	const { facts } = finding;
	const isNow =
		facts.attempt === "in_progress" || facts.timeframe === "now" || facts.timeframe === "today" || facts.preparation === true || facts.means === "accessible";
	// A rule that is about others from the start gives its own level.
	const most = isNow || finding.rule.facts?.subject === "other" ? 2 : 1;
	finding.level = Math.min(finding.level, most);
	finding.facts = { ...facts, subject: "other" };
}

/** Past ideation and self-harm are history; a past attempt is worth a look (guide, sections 3 and 5). */
function readAsHistory(finding: Finding): void {
	finding.modifiers.push("temporality:historical");
	finding.score = Math.min(finding.score, HISTORICAL_CAP);
	const { facts, rule } = finding;
	const isAttempt = facts.attempt !== undefined;
	const isSelfInjury = rule.signal === "suicidal_ideation" || rule.signal === "self_harm";
	finding.level = isAttempt ? Math.min(finding.level, 1) : 0;
	finding.facts = isAttempt
		? { history: true, attempt: "historical", ...(facts.subject ? { subject: facts.subject } : {}), ...(facts.method ? { method: facts.method } : {}) }
		: isSelfInjury
			? { history: true }
			: {};
}

function readAsHypothetical(finding: Finding): void {
	finding.modifiers.push("certainty:hypothetical");
	if (finding.rule.signal === "suicidal_ideation") finding.score = Math.min(finding.score, HYPOTHETICAL_SCORE);
	finding.level = Math.min(finding.level, 1);
	const { intent: _intent, timeframe: _timeframe, ...rest } = finding.facts;
	finding.facts = rest;
}

/** "If she leaves me again I'll do it": a condition that may well come is no intent yet. */
function readAsCondition(finding: Finding): void {
	finding.modifiers.push("certainty:condition");
	finding.level = Math.min(finding.level, 2);
	const { intent: _intent, ...rest } = finding.facts;
	finding.facts = rest;
}

/** People hide behind "lol": an explicit statement is dampened; anything else raises no level by itself, but hints add up and the model reads it as it stands. */
function readAsJoke(finding: Finding): void {
	finding.modifiers.push("frame:joke");
	if (finding.rule.explicit) {
		finding.score = Math.max(JOKE_FLOOR, finding.score * 0.7);
		finding.level = Math.min(finding.level, 2);
		return;
	}
	finding.score = Math.min(finding.score, FRAME_CAP);
	finding.level = 0;
	finding.facts = {};
}

/** Moves a score by a step, never across the anchors 0.25, 0.5 and 0.75. */
function shift(finding: Finding, step: number, name: string): void {
	finding.modifiers.push(name);
	const band = Math.floor(finding.score * 4);
	const moved = Math.min(Math.max(finding.score + step, band / 4), band / 4 + 0.249, 1);
	finding.score = Math.round(moved * 1000) / 1000;
}
