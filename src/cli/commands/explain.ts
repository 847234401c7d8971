import { z } from "zod";
import { LabelError } from "../../errors.js";
import { type Explanation, ROLES, SIGNALS, type Turn } from "../../types.js";
import { type CommandContext, DISCLAIMER } from "../command.js";
import { inert } from "../inert.js";
import { type CommonFlags, createOutput, type Output, readStdin } from "../io.js";
import { type ScorerFlags, scorerOf } from "../scorer-flags.js";

interface ExplainFlags extends CommonFlags, ScorerFlags {
	jsonl?: boolean;
	whyNot?: boolean;
}

const LEVEL_STYLE = { R0: "dim", "R1-mid": "yellow", "R1-high": "magenta", R2: "red" } as const;

/** `label explain`: scores a text or a conversation and shows why. */
export async function explain({ io }: CommandContext, flags: ExplainFlags, text?: string): Promise<void> {
	const output = createOutput(io, flags);
	const turns: Turn[] = flags.jsonl
		? parseTurns(await readStdin(io))
		: [{ role: "user", content: text === undefined || text === "-" ? await readStdin(io) : text }];
	const scorer = scorerOf(flags);
	let state = scorer.start();
	const explained: Explanation[] = [];
	for (const turn of turns) {
		const explanation = scorer.explain(state, turn);
		state = explanation.state;
		explained.push(explanation);
	}
	if (output.isJson) {
		const documents = explained.map(({ label, set_aside, steps }, turn) => ({
			turn,
			role: turns[turn]?.role,
			...label,
			...(flags.whyNot ? { set_aside } : {}),
			steps,
		}));
		return output.printJson(flags.jsonl ? documents : documents[0]);
	}
	for (const [at, explanation] of explained.entries()) await output.print(toText(turns[at] as Turn, explanation, output, flags.whyNot === true));
	output.note(DISCLAIMER);
}

const turnSchema = z.object({ role: z.enum(ROLES), content: z.string() });

function parseTurns(text: string): Turn[] {
	return text
		.split("\n")
		.filter((line) => line.trim() !== "")
		.map((line, at) => {
			let value: unknown;
			try {
				value = JSON.parse(line);
			} catch (cause) {
				throw new LabelError("usage", `standard input, line ${at + 1}: not JSON; give one message a line: {"role": "user", "content": "..."}`, { cause });
			}
			const parsed = turnSchema.safeParse(value);
			if (!parsed.success) throw new LabelError("usage", `standard input, line ${at + 1}: a message needs "role" (${ROLES.join(", ")}) and "content" (text)`);
			return parsed.data;
		});
}

function toText(turn: Turn, { label, set_aside, steps }: Explanation, output: Output, showSetAside: boolean): string {
	const style = LEVEL_STYLE[label.r_level];
	const lines = [
		`${output.paint(["bold", style], label.r_level)}  prs ${label.prs.toFixed(3)}  session ${label.session_r_level} (srs ${label.session_srs.toFixed(3)})  ${turn.role}`,
		`  ${highlight(turn.content, label.evidence, output)}`,
	];
	if (label.coverage !== "full")
		lines.push(
			`  coverage ${label.coverage} (language ${label.language}): ${label.coverage === "none" ? "not read, so the level says nothing" : "read in part"}`,
		);
	const scores = SIGNALS.filter((signal) => label.scores[signal] >= 0.1);
	if (scores.length > 0) lines.push(`  signals: ${scores.map((signal) => `${signal} ${label.scores[signal].toFixed(2)}`).join(", ")}`);
	const { since: _since, ...facts } = label.imminence;
	const set = Object.entries(facts).filter(([, value]) => value !== "none" && value !== false);
	if (set.length > 0) lines.push(`  imminence: ${set.map(([field, value]) => (value === true ? field : `${field} ${value}`)).join(", ")}`);
	for (const piece of label.evidence) {
		const modifiers = piece.modifiers.length > 0 ? ` [${piece.modifiers.join(", ")}]` : "";
		lines.push(`  + ${piece.contribution.toFixed(2)} ${piece.signal ?? "-"}  "${inert(piece.text)}"  ${piece.rule}${modifiers}`);
	}
	if (showSetAside) for (const aside of set_aside) lines.push(`  - ${aside.signal ?? "-"}  "${inert(aside.text)}"  ${aside.rule} set aside: ${aside.reason}`);
	for (const step of steps) lines.push(`  > ${step}`);
	return `${lines.join("\n")}\n`;
}

/** The content with its evidence underlined where colours are on, in brackets where not. */
function highlight(content: string, evidence: Explanation["label"]["evidence"], output: Output): string {
	const marks = [...evidence].sort((left, right) => left.start - right.start);
	let text = "";
	let at = 0;
	for (const { start, end } of marks) {
		if (start < at) continue;
		text += inert(content.slice(at, start)) + output.paint(["bold", "underline"], `[${inert(content.slice(start, end))}]`);
		at = end;
	}
	return text + inert(content.slice(at));
}
