import { Command, Option } from "commander";
import { R_LEVELS } from "../types.js";
import { VERSION } from "../version.js";
import type { CommandContext } from "./command.js";
import type { CommonFlags, Io } from "./io.js";

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
			.command("run")
			.description("Labels conversation files into a database; run again, it only adds what is new")
			.argument("<inputs...>", "files, folders, globs, or - for standard input: JSONL, CSV, JSON, chat exports and archives, also gzipped")
			.addOption(databaseOption().default("label.db", "label.db; `none` keeps nothing"))
			.addOption(tenantOption())
			.option("--out <file>", "also write a label row a turn: JSONL, or CSV when the name ends in .csv")
			.option("--stdout", "write a label row a turn to standard output as JSONL")
			.option("--no-content", "store labels and offsets, neither text nor evidence text")
			.addOption(new Option("--fail-on <level>", "exit status 1 when a session has this level or a higher one").choices(R_LEVELS.slice(1)))
			.option("--format <name>", "jsonl, csv, json, chatgpt, whatsapp...; told from the content when absent")
			.option("--delimiter <character>", "between the cells of CSV; found out when absent")
			.option("--map <names>", "other field names: content=body,role=sender")
			.option("--role-map <values>", "other role values: visitor=user,agent=assistant")
			.option("--me <names>", "authors of a chat export who are the assistant, with commas between them")
			.option("--assistant <names>", "the same, for the bot of a chat export")
			.option("--end-user <name>", "end user of conversations that name none", "unknown")
			.addOption(new Option("--sort-by <field>", "order the messages of a session by time; default: the file's order").choices(["created_at"]))
			.addOption(new Option("--on-conflict <what>", "a session that contradicts the stored one").choices(["reject", "replace"]).default("reject"))
			.option("--append", "the files hold only new turns of known sessions (a daily delta)")
			.option("--rejects <file>", "where rejected records go (default: <db>.rejects.jsonl)")
			.option("--no-reject-content", "leave the raw record out of the rejects file")
			.option("--allow-rejects", "exit status 0 although records were rejected")
			.addOption(new Option("--workers <n>", "threads that parse and score; 0: none (default: 2, none for small inputs)").env("LABEL_WORKERS"))
			.option("--dry-run", "show what is recognised and the first turns; score and store nothing")
			.option("--shard <k/n>", "take only the sessions that fall into shard k of n")
			.addOption(new Option("--scorer <name>", "`none` labels nothing and measures the rest").choices(["default", "none"]).default("default").hideHelp())
			.addOption(modelOption()),
		[
			"label run chats.jsonl more.csv.gz --db label.db",
			"zcat chats.jsonl.gz | label run - --db none --stdout | jq -c 'select(.r_level == \"R2\") | .session_external_id'",
		],
		() => import("./commands/run.js"),
		"runCommand",
	);
	finish(
		program
			.command("merge")
			.description("Joins databases, e.g. those of `label run --shard`; run again, it only adds what is new")
			.argument("<databases...>", "databases that label run or label serve made")
			.requiredOption("--into <file>", "the database that takes them all, made when it is not there")
			.option("--allow-rejects", "exit status 0 although sessions were rejected")
			.addOption(modelOption()),
		["label merge shard-1.db shard-2.db --into all.db", "label merge monday.db tuesday.db --into week.db --json"],
		() => import("./commands/merge.js"),
		"merge",
	);
	const sessions = program.command("sessions").description("Reads results in the terminal: list, show");
	finish(
		sessions
			.command("list")
			.description("Lists sessions, the riskiest first")
			.addOption(databaseOption().default("label.db"))
			.addOption(tenantOption())
			.addOption(new Option("--level <level>", "this level or higher").choices(R_LEVELS))
			.option("--end-user <name>", "sessions of this end user")
			.option("--since <date>", "last message at or after (ISO 8601)")
			.option("--until <date>", "last message before (ISO 8601)")
			.option("--text <text>", "sessions that hold this text")
			.addOption(new Option("--order <order>", "which come first").choices(["risk", "recent"]).default("risk"))
			.option("--limit <n>", "how many, 1 to 1000", "20")
			.option("--cursor <cursor>", "goes on after the page before (next_cursor of --json)"),
		["label sessions list --level R1-high", "label sessions list --db label.db --order recent --limit 5 --json"],
		() => import("./commands/sessions.js"),
		"listSessions",
	);
	finish(
		sessions
			.command("show")
			.description("Shows a session as a transcript with its levels, evidence and risk over time")
			.argument("<id>", "the id of the session, or its external id")
			.addOption(databaseOption().default("label.db"))
			.addOption(tenantOption()),
		["label sessions show 12", "label sessions show chat-0007 --db label.db --json"],
		() => import("./commands/sessions.js"),
		"showSession",
	);
	finish(
		program
			.command("export")
			.description("Writes results as JSONL or CSV, a turn or a session a row")
			.addOption(databaseOption().default("label.db"))
			.addOption(tenantOption())
			.addOption(new Option("--rows <what>", "what a row is").choices(["turns", "sessions"]).default("turns"))
			.addOption(new Option("--format <name>", "format of the rows").choices(["jsonl", "csv"]).default("jsonl"))
			.option("--out <file>", "write to a file instead of standard output")
			.addOption(new Option("--level <level>", "turns (or sessions) of this level or higher").choices(R_LEVELS))
			.addOption(new Option("--session-level <level>", "turns of sessions of this level or higher").choices(R_LEVELS))
			.option("--end-user <name>", "of this end user only")
			.option("--since <date>", "at or after (ISO 8601)")
			.option("--until <date>", "before (ISO 8601)")
			.option("--no-content", "leave out text and evidence text"),
		["label export --level R1-high > risky.jsonl", "label export --rows sessions --format csv --out sessions.csv"],
		() => import("./commands/export.js"),
		"exportRows",
	);
	finish(
		program
			.command("serve")
			.description("Serves the v1 API on a database, for a bot that asks before it replies")
			.addOption(databaseOption().default("label.db"))
			.addOption(new Option("--host <host>", "address to listen on").env("LABEL_HOST").default("127.0.0.1"))
			.addOption(new Option("--port <port>", "port to listen on; 0: any free one").env("LABEL_PORT").default("8787"))
			.option("--allow-remote", "allow a --host that other machines can reach; put TLS in front")
			.addOption(new Option("--rate-limit <n>", "requests a minute that each key may send").env("LABEL_RATE_LIMIT"))
			.addOption(new Option("--cors-origin <origin...>", "web pages of this origin may use the API; * for any"))
			.option("--no-content", "store labels and offsets, neither text nor evidence text")
			.addOption(modelOption()),
		["label serve", "label serve --db chats.db --port 9000 --rate-limit 600 2>> requests.log"],
		() => import("./commands/serve.js"),
		"serve",
	);
	const tenant = program.command("tenant").description("Tenants and their API keys: create, list, rotate-key, remove");
	const tenantCommand = (name: string, description: string, shown: string[], action: string, takesName = true) => {
		const command = tenant.command(name).description(description).addOption(databaseOption().default("label.db"));
		finish(takesName ? command.argument("<name>", "the tenant's name") : command, shown, () => import("./commands/tenant.js"), action);
	};
	tenantCommand(
		"create",
		"Makes a tenant and shows its API key, once",
		["label tenant create acme", "label tenant create acme --json | jq -r .api_key"],
		"createTenant",
	);
	tenantCommand("list", "Lists tenants", ["label tenant list", "label tenant list --db chats.db --json"], "listTenants", false);
	tenantCommand(
		"rotate-key",
		"Gives a tenant a new key; the old one is void at once",
		["label tenant rotate-key acme", "label tenant rotate-key acme --json"],
		"rotateKey",
	);
	tenantCommand(
		"remove",
		"Erases a tenant with all its end users, sessions and messages",
		["label tenant remove acme", "label tenant remove acme --db chats.db --json"],
		"removeTenant",
	);
	const eraseOptions = (command: Command) =>
		command
			.addOption(databaseOption().default("label.db"))
			.addOption(tenantOption())
			.option("--compact", "also empty the journal and give the space back (rewrites the whole file)");
	finish(
		eraseOptions(program.command("forget").description("Erases an end user with all sessions, or one session"))
			.option("--end-user <name>", "the end user")
			.option("--session <external_id>", "the session"),
		["label forget --end-user user-17", "label forget --session chat-0007 --compact"],
		() => import("./commands/erase.js"),
		"forget",
	);
	finish(
		eraseOptions(program.command("purge").description("Erases all sessions whose last message is older than a date")).requiredOption(
			"--before <date>",
			"ISO 8601 date or time",
		),
		["label purge --before 2025-01-01", "label purge --before 2025-01-01T00:00:00Z --compact --json"],
		() => import("./commands/erase.js"),
		"purge",
	);
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

/** `--db`, for every command that reads or writes results. */
function databaseOption(): Option {
	return new Option("--db <file>", "the database").env("LABEL_DB");
}

/** `--tenant`, the same. */
function tenantOption(): Option {
	return new Option("--tenant <name>", "the tenant whose sessions these are").env("LABEL_TENANT").default("local");
}

/** `--model`, for every command that scores. */
function modelOption(): Option {
	return new Option("--model <file>", "a model file made by `label train` (`none`: rules alone)").env("LABEL_MODEL");
}

function examples(lines: readonly string[]): string {
	return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}\n`;
}
