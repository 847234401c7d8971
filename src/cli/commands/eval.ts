import { LabelError } from "../../errors.js";
import { type Evaluation, evaluate as evaluateJudged, judge } from "../../evaluation/evaluate.js";
import { checkGates, type GateResult, parseGate } from "../../evaluation/gates.js";
import { parseGold } from "../../evaluation/gold.js";
import { R_LEVELS } from "../../types.js";
import { type CommandContext, DISCLAIMER } from "../command.js";
import { EXIT } from "../exit-status.js";
import { type CommonFlags, createOutput, type Output } from "../io.js";
import { readTextFile } from "../read-text-file.js";
import { type ScorerFlags, scorerOf } from "../scorer-flags.js";

interface EvalFlags extends CommonFlags, ScorerFlags {
	require?: string[];
	worst: string;
	resamples: string;
}

/** `label eval`: agreement with human labels, and gates. */
export async function evaluate({ io, setStatus }: CommandContext, flags: EvalFlags, gold: string): Promise<void> {
	const output = createOutput(io, flags);
	const judged = judge(parseGold(readTextFile(gold), gold), scorerOf(flags));
	const evaluation = evaluateJudged(judged, count(flags.resamples, "resamples"), count(flags.worst, "worst"));
	const known = Object.keys(evaluation.figures);
	const gates = checkGates(
		(flags.require ?? []).map((text) => parseGate(text, known)),
		evaluation.figures,
	);
	if (gates.some(({ isMet }) => !isMet)) setStatus(EXIT.gate);
	if (output.isJson) return output.printJson({ ...evaluation, gates });
	await output.print(toText(evaluation, gates, output));
	output.note(DISCLAIMER);
}

function count(text: string, flag: string): number {
	const value = Number(text);
	if (!Number.isInteger(value) || value < 0) throw new LabelError("usage", `--${flag} must be a whole number of at least 0`, { param: flag });
	return value;
}

function toText(evaluation: Evaluation, gates: readonly GateResult[], output: Output): string {
	const { figures, intervals } = evaluation;
	const lines = [
		`${evaluation.turns} labelled turns in ${evaluation.conversations} conversations`,
		"",
		`gold \\ said  ${R_LEVELS.map((level) => level.padStart(8)).join("")}`,
	];
	evaluation.confusion.forEach((row, at) => {
		lines.push(`${(R_LEVELS[at] as string).padEnd(12)} ${row.map((cell) => String(cell).padStart(8)).join("")}`);
	});
	lines.push("", "figure                        value   95% interval (resampled conversations)");
	for (const [name, value] of Object.entries(figures)) {
		if (/^(auroc|f1)\([a-z]/.test(name)) continue;
		const interval = intervals[name];
		lines.push(`${name.padEnd(28)} ${figure(value)}   ${interval ? `${figure(interval.low)} to ${figure(interval.high)}` : ""}`.trimEnd());
	}
	lines.push("", "signal               positives   AUROC   F1 at 0.5");
	for (const [signal, { positives, auroc, f1 }] of Object.entries(evaluation.signals))
		lines.push(`${signal.padEnd(20)} ${String(positives).padStart(9)}  ${figure(auroc)}   ${figure(f1)}`);
	lines.push("", "imminence field      judged   agreed");
	for (const [field, { judged, agreed }] of Object.entries(evaluation.imminence))
		lines.push(`${field.padEnd(20)} ${String(judged).padStart(6)}   ${figure(agreed / judged)}`);
	lines.push("", "slice by modifier                turns   exact   recall(R1-high)");
	for (const [name, slice] of Object.entries(evaluation.slices))
		lines.push(`${name.padEnd(30)} ${String(slice.turns).padStart(7)}   ${figure(slice.exact)}   ${figure(slice["recall(R1-high)"])}`);
	if (evaluation.worst.length > 0) lines.push("", "worst misses (read them with `label explain`)");
	for (const miss of evaluation.worst)
		lines.push(
			`  ${miss.id}, turn ${miss.turn}: ${miss.gold} called ${miss.predicted} (prs ${miss.prs.toFixed(3)})  ${miss.evidence.map(({ rule }) => rule).join(", ")}`.trimEnd(),
		);
	for (const { gate, actual, isMet } of gates)
		lines.push(`${isMet ? output.paint("green", "met") : output.paint("red", "NOT MET")}  ${gate}  (is ${figure(actual).trim()})`);
	return `${lines.join("\n")}\n`;
}

function figure(value: number | null): string {
	return value === null ? "    -" : value.toFixed(3);
}
