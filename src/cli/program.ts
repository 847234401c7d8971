import { Command, Option } from "commander";
import { VERSION } from "../version.js";
import type { CommonFlags, Io } from "./io.js";

/** Said once by every surface that shows a level (labelling guide). */
export const DISCLAIMER = "Triage support, not a diagnosis: levels say who should be looked at, and when.";

/** What the action of a command gets beside its arguments. */
export interface CommandContext {
	io: Io;
	setStatus(status: number): void;
}

type Action = (context: CommandContext, flags: CommonFlags & Record<string, never>, ...args: never[]) => Promise<void>;
type Load = () => Promise<{ [name: string]: unknown }>;

/** Describes every command; the code of a command is loaded only when it runs, so that `--help` stays fast. */
export function createProgram(io: Io, setStatus: (status: number) => void): Command {
	const program = new Command("label")
		.description("Scores chat conversations for mental-health risk, turn by turn and session by session, on this machine.")
		.version(VERSION, "-V, --version")
		.configureOutput({ writeOut: (text) => void io.stdout.write(text), writeErr: (text) => void io.stderr.write(text), getOutHasColors: () => false })
		.exitOverride()
		.helpCommand(true)
		.enablePositionalOptions()
		.addHelpText("after", examples(["label run chats.jsonl --db label.db", 'label explain "i can\'t do this anymore"']));

	/** Adds the common flags, the examples and the lazily loaded action to a command. */
	const finish = (command: Command, shown: readonly string[], load: Load, name: string): Command =>
		command
			.option("--json", "print one JSON document instead of text")
			.option("-q, --quiet", "print results only")
			.option("--verbose", "say more; show stack traces of errors")
			.option("--no-color", "no colours (also: NO_COLOR)")
			.addHelpText("after", examples(shown))
			.action(async (...received: unknown[]) => {
				const flags = command.opts() as CommonFlags & Record<string, never>;
				const args = received.slice(0, -2) as never[];
				const module = await load();
				await (module[name] as Action)({ io, setStatus }, flags, ...args);
			});

	finish(
		program
			.command("explain")
			.description("Scores one text, or a conversation with --jsonl, and shows why")
			.argument("[text]", "the text; standard input when absent or -")
			.option("--jsonl", "standard input is a conversation: a JSON message with role and content a line")
			.option("--why-not", "also list candidates that were set aside, and what set them aside")
			.addOption(modelOption()),
		['label explain "i want to die lol"', "label explain --why-not --json < note.txt"],
		() => import("./commands/explain.js"),
		"explain",
	);
	finish(
		program
			.command("eval")
			.description("Agreement with human labels: confusion, kappa, recall, AUROC, intervals; gates with --require")
			.argument("<gold>", "JSONL of conversations with labels (docs/accuracy.md)")
			.option("--require <gate...>", 'a condition such as "recall(R2)>=0.9"; exit status 1 when it is not met')
			.option("--worst <n>", "list the n worst misses with their evidence", "10")
			.option("--resamples <n>", "bootstrap resamples of whole conversations for the intervals", "1000")
			.addOption(modelOption()),
		["label eval gold.jsonl", 'label eval gold.jsonl --json --require "recall(R2)>=0.9" "false_positives(R1-high)<=0.02"'],
		() => import("./commands/eval.js"),
		"evaluate",
	);
	finish(
		program
			.command("train")
			.description("Rebuilds the statistical model from labelled text; the same input gives the same bytes")
			.argument("<corpus...>", "corpus files (TSV: level, signals, text; docs/accuracy.md)")
			.requiredOption("--out <file>", "where to write the model")
			.option("--check", "cross-validate and print the figures of the held-out folds as well"),
		["label train fixtures/corpus/*.tsv --out model.bin", "label train my-labels.tsv fixtures/corpus/*.tsv --out model.bin --check"],
		() => import("./commands/train.js"),
		"train",
	);
	return program;
}

/** `--model`, for every command that scores. */
function modelOption(): Option {
	return new Option("--model <file>", "a model file made by `label train` (`none`: rules alone)").env("LABEL_MODEL");
}

function examples(lines: readonly string[]): string {
	return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}\n`;
}
