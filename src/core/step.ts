import type { Explanation, ImminenceFacts, Label, Policy, ScorerVersion, SessionState, Signal, StepResult, Turn } from "../types.js";
import { readAnswer } from "./context/answers.js";
import { remember } from "./context/memory.js";
import { applyModifiers, sortMatches } from "./context/modifiers.js";
import { type Asked, readQuestions } from "./context/questions.js";
import { frameOf, hearAfterAll, isOwn, settleNeeds } from "./context/read-context.js";
import { listSetAside, weigh } from "./explain.js";
import { addFacts, carry, noFacts, toImminence } from "./imminence/facts.js";
import { inferFacts, isSeenByModel, revealsIdeation } from "./imminence/infer.js";
import { NEEDS, type Need } from "./lexicon.js";
import type { LexiconIndex } from "./match/lexicon-index.js";
import type { Predictor } from "./model/predictor.js";
import type { TurnReading } from "./reading.js";
import { decideLevel } from "./risk/decide.js";
import { consultModel, ruleFloor } from "./risk/fuse.js";
import { round, toRisk, toRLevel } from "./risk/levels.js";
import { rollUp } from "./risk/rollup.js";
import { readLanguage } from "./text/language.js";
import type { Tokeniser } from "./text/tokenise.js";
import type { TokenBuffer } from "./text/tokens.js";

/** What a step works with: compiled once, shared by all turns of a scorer. */
export interface Engine {
	index: LexiconIndex;
	tokeniser: Tokeniser;
	tokens: TokenBuffer;
	policy: Policy;
	version: ScorerVersion;
	/** Absent when the rules score alone. */
	predictor: Predictor | undefined;
}

type Step = (reading: TurnReading, engine: Engine) => void;

/** The scoring steps, in order. */
const STEPS: readonly Step[] = [
	findMentions,
	readTheAnswer,
	readFrameAndModifiers,
	settleNeeds,
	speakOfAssistant,
	collectFacts,
	decideLevel,
	hearTheModel,
	reconsider,
	inferFacts,
];

/** First state of a session. */
export function startSession(): SessionState {
	return { version: 1, turns: 0, srs: null, mean: 0, facts: noFacts(), since: {}, frame: null, asked: [], memory: {} };
}

/** Folds one turn into a session. Pure: the same state and turn give the same result; nothing is changed. */
export function step(state: SessionState, turn: Turn, engine: Engine): StepResult {
	return conclude(read(state, turn, engine), engine);
}

/** Like `step`, with what was set aside and the reasons in words. */
export function explain(state: SessionState, turn: Turn, engine: Engine): Explanation {
	const reading = read(state, turn, engine);
	return { ...conclude(reading, engine), set_aside: listSetAside(reading), steps: reading.reasons };
}

/** Reads a turn by the rules alone; training takes its features from this. */
export function read(state: SessionState, turn: Turn, engine: Engine): TurnReading {
	engine.tokeniser.tokenise(turn.content, engine.tokens);
	const reading: TurnReading = {
		turn,
		state,
		isUser: turn.role === "user",
		tokens: engine.tokens,
		matches: engine.index.matcher.find(engine.tokens),
		language: readLanguage(engine.tokens, engine.index.english),
		findings: [],
		cues: [],
		answer: undefined,
		// Before the model's features hide what was set aside.
		before: engine.predictor?.hear(engine.tokens, turn.role, state.before ?? {}),
		turnFacts: noFacts(),
		stands: { ideation: false, violence: false, "self-harm": false },
		frame: state.frame,
		level: 0,
		strength: 0,
		model: undefined,
		risk: 0,
		reasons: [],
	};
	for (const one of STEPS) one(reading, engine);
	return reading;
}

function findMentions(reading: TurnReading, { index }: Engine): void {
	if (reading.matches.count === 0) return;
	const { findings, cues } = sortMatches(reading.matches, index, reading.tokens);
	reading.findings = findings;
	reading.cues = cues;
}

function readTheAnswer(reading: TurnReading, { index }: Engine): void {
	if (!reading.isUser) return;
	reading.answer = readAnswer(reading.matches, index, reading.state, reading.tokens.count);
	if (reading.answer !== undefined && reading.language.coverage === "none") reading.language = { ...reading.language, coverage: "partial" };
}

function readFrameAndModifiers(reading: TurnReading): void {
	const turn = frameOf(reading);
	reading.frame = turn.frame;
	applyModifiers(reading.findings, reading.cues, reading.tokens, turn);
}

/** An assistant that speaks of suicide to the user discloses nothing: only its own first-person statements keep their score. */
function speakOfAssistant(reading: TurnReading, { index }: Engine): void {
	if (reading.isUser) return;
	const isOwnStatement = ({ first, until }: { first: number; until: number }): boolean =>
		reading.tokens.word.subarray(first, until).some((word) => index.speaker[word] === 1);
	for (const finding of reading.findings) {
		if (finding.setAside !== undefined || (finding.rule.explicit && finding.subject === "self" && isOwnStatement(finding))) continue;
		finding.modifiers.push("experiencer:assistant");
		finding.setAside = "experiencer:assistant";
		finding.score = 0;
		finding.level = 0;
		finding.facts = {};
	}
}

function collectFacts(reading: TurnReading): void {
	for (const { facts, setAside } of reading.findings) if (setAside === undefined || facts.intent === "denied") addFacts(reading.turnFacts, facts);
	if (reading.answer !== undefined) addFacts(reading.turnFacts, reading.answer.facts);
}

/** Fuses rules and model: without a model the rules' level stands. */
function hearTheModel(reading: TurnReading, { predictor }: Engine): void {
	const byRules = toRisk(reading.level, reading.strength);
	reading.risk = byRules;
	// What "no" or "tonight" alone answers is settled by the question (guide, section 6); there is nothing else to read.
	if (predictor === undefined || !reading.isUser || reading.language.coverage === "none" || reading.answer?.isWhole) return;
	reading.model = consultModel(reading, predictor);
	const floor = ruleFloor(reading, predictor.probabilities);
	reading.risk = Math.max(round(reading.model.risk), Math.min(byRules, toRisk(floor, reading.strength)));
	if (reading.risk !== byRules) reading.reasons.push("the statistical model, which reads the whole turn, moves the risk");
}

/** Where only the model has seen ideation, the mentions that waited for it are heard, and the rules decide again; risk never falls by it. */
function reconsider(reading: TurnReading): void {
	if (!revealsIdeation(reading)) return;
	hearAfterAll(reading);
	collectFacts(reading);
	decideLevel(reading);
	reading.risk = Math.max(reading.risk, toRisk(reading.level, reading.strength));
}

/** Turns a finished reading into the label and the next state. */
function conclude(reading: TurnReading, engine: Engine): StepResult {
	const { state, isUser } = reading;
	const { scores, evidence } = weigh(reading);
	const prs = reading.risk;
	const { srs, mean } = rollUp(state, prs, isUser, engine.policy.thresholds.R2);
	const carried = isUser ? carry(state, reading.turnFacts, state.turns) : { facts: state.facts, since: state.since };
	const asked = askedAfter(reading, engine);
	const shown = isUser ? asRead(reading, carried.facts) : noFacts();
	const label: Label = {
		prs,
		r_level: toRLevel(prs, engine.policy),
		scores,
		imminence: toImminence(shown, isUser ? carried.since : {}),
		session_srs: srs,
		session_r_level: toRLevel(srs, engine.policy),
		evidence,
		language: reading.language.language,
		coverage: reading.language.coverage,
		scorer_version: engine.version,
	};
	return {
		label,
		state: {
			version: 1,
			turns: state.turns + 1,
			srs,
			mean,
			facts: carried.facts,
			since: carried.since,
			frame: isUser ? reading.frame : state.frame,
			asked: asked.topics,
			...(asked.alternatives && { alternatives: asked.alternatives }),
			...(asked.expects && { expects: asked.expects }),
			memory: isUser ? remember(state, affirmedBy(reading)) : state.memory,
			...(reading.before && { before: reading.before }),
		},
	};
}

/** What stands asked after the turn: an assistant asks, a user has answered, others leave it as it is. */
function askedAfter({ turn, tokens, matches, state, isUser }: TurnReading, { index }: Engine): Asked {
	if (turn.role === "assistant") return readQuestions(tokens, matches, index, state);
	if (isUser) return { topics: [] };
	const { asked: topics, alternatives, expects } = state;
	return { topics, ...(alternatives && { alternatives }), ...(expects && { expects }) };
}

/** The session's facts as this turn shows them: a turn that denies ideation itself says so; the session keeps what it knows. */
function asRead(reading: TurnReading, carried: ImminenceFacts): ImminenceFacts {
	if (reading.turnFacts.intent !== "denied" || reading.turnFacts.ideation !== "none") return carried;
	return { ...carried, intent: "denied", ideation: "none" };
}

/** The risks that the turn affirms: what later turns need to know of the speaker. */
function affirmedBy(reading: TurnReading): Need[] {
	const own = reading.findings.filter(isOwn);
	const answered = reading.answer !== undefined && reading.answer.level >= 2 ? reading.answer : undefined;
	const isGrave = (signal: Signal): boolean => own.some(({ rule, level }) => rule.signal === signal && level >= 2) || answered?.signal === signal;
	const affirmed: Record<Need, boolean> = {
		ideation: own.some(({ facts, level }) => facts.ideation !== undefined && level >= 1) || answered?.facts.ideation !== undefined || isSeenByModel(reading),
		violence: isGrave("harm_to_others"),
		"self-harm": isGrave("self_harm"),
	};
	return NEEDS.filter((risk) => affirmed[risk]);
}
