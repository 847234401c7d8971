import { LabelError } from "../errors.js";
import { R_LEVELS, SIGNALS, type Turn } from "../types.js";

/** One labelled example: the last turn is labelled, the turns before it are its context. */
export interface Example {
	turns: Turn[];
	/** Severity 0 to 3. */
	level: number;
	/** Ten scores in the order of SIGNALS. */
	scores: number[];
}

/** Scores from 0.5 are clear, below 0.15 absent (guide, section 2). */
const CLEAR = 0.5;
const ABSENT = 0.15;

/** Whether a signal with this score is clearly there, is absent (false), or neither (undefined). */
export function isClear(score: number): boolean | undefined {
	if (score >= CLEAR) return true;
	return score < ABSENT ? false : undefined;
}

/** True for a row without risk and without any signal. */
export function isCalm({ level, scores }: Example): boolean {
	return level === 0 && scores.every((score) => isClear(score) === false);
}

/** Two-letter codes of the corpus format, in the order of SIGNALS. */
export const SIGNAL_CODES = ["si", "sh", "ho", "hp", "dp", "ax", "ps", "is", "su", "ed"] as const;

/**
 * Parses a corpus file: one row a line, LEVEL TAB SIGNALS TAB TEXT; newlines in the text as `\n`; context turns separated by ` ||| `,
 * each beginning `A:` or `U:`.
 * @throws LabelError `invalid_record` naming file and line
 */
export function parseCorpus(text: string, file: string): Example[] {
	const examples: Example[] = [];
	text.split("\n").forEach((line, at) => {
		if (line.trim() === "") return;
		const fail = (problem: string): never => {
			throw new LabelError("invalid_record", `${file}, line ${at + 1}: ${problem}`);
		};
		const [level, signals, content, ...rest] = line.replace(/\r$/, "").split("\t");
		if (level === undefined || signals === undefined || content === undefined || rest.length > 0)
			return fail("a row is LEVEL, SIGNALS and TEXT separated by tabs");
		const severity = (R_LEVELS as readonly string[]).indexOf(level);
		if (severity < 0) return fail("the level must be R0, R1-mid, R1-high or R2");
		examples.push({ turns: toTurns(content.replaceAll("\\n", "\n")), level: severity, scores: toScores(signals, fail) });
	});
	return examples;
}

function toScores(signals: string, fail: (problem: string) => never): number[] {
	const scores = SIGNALS.map(() => 0);
	if (signals === "-") return scores;
	for (const pair of signals.trim().split(/\s+/)) {
		const [code, value] = pair.split("=");
		const at = (SIGNAL_CODES as readonly string[]).indexOf(code ?? "");
		const score = Number(value);
		if (at < 0 || !(score > 0 && score <= 1)) fail("signals are code=score, with a score above 0 and at most 1");
		scores[at] = score;
	}
	return scores;
}

function toTurns(content: string): Turn[] {
	if (!content.includes(" ||| ") && !content.startsWith("U: ")) return [{ role: "user", content }];
	return content.split(" ||| ").map((turn) => ({ role: turn.startsWith("A:") ? "assistant" : "user", content: turn.replace(/^[AU]: ?/, "") }));
}
