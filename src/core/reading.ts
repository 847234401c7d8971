import type { ImminenceFacts, SessionState, Turn } from "../types.js";
import type { AnswerReading } from "./context/answers.js";
import type { Finding } from "./context/finding.js";
import type { FoundCue } from "./context/modifiers.js";
import type { MatchBuffer } from "./match/match-buffer.js";
import type { ModelReading } from "./risk/fuse.js";
import type { Reading as LanguageReading } from "./text/language.js";
import type { TokenBuffer } from "./text/tokens.js";

/** What the steps know of a turn while they work on it. Each step fills in its part. */
export interface TurnReading {
	turn: Turn;
	state: SessionState;
	isUser: boolean;
	tokens: TokenBuffer;
	matches: MatchBuffer;
	language: LanguageReading;
	findings: Finding[];
	cues: FoundCue[];
	answer: AnswerReading | undefined;
	/** What the model keeps of this turn for the next; undefined without one. */
	before: SessionState["before"];
	/** Facts of this turn alone. */
	turnFacts: ImminenceFacts;
	/** Ideation (violence, self-injury) stands affirmed in this turn or earlier in the session. */
	stands: Record<"ideation" | "violence" | "self-harm", boolean>;
	/** Frame that holds after this turn. */
	frame: string | null;
	/** Severity 0 to 3 and strength in [0, 1] that the rules give the turn. */
	level: number;
	strength: number;
	/** What the statistical model says; undefined without one. */
	model: ModelReading | undefined;
	/** The turn's risk in [0, 1], rules and model together. */
	risk: number;
	/** Why the level is what it is: ids and names only, for `explain`. */
	reasons: string[];
}
