import { readdirSync, readFileSync } from "node:fs";
import type { z } from "zod";
import type { Lexicon } from "../core/lexicon.js";
import { LabelError } from "../errors.js";
import { answersSchema, classTableSchema, cuesSchema, questionsSchema, ruleFileSchema, spellingTableSchema } from "./schema.js";

/** The folder of the shipped English lexicon, the same from `src` (tests) and from `dist`. */
export const ENGLISH = new URL("../../src/lexicon/en/", import.meta.url);

/** Names of the lexicon's files, in the order in which they are hashed into the scorer version. */
export function lexiconFiles(folder: URL = ENGLISH): string[] {
	const rules = readdirSync(new URL("rules/", folder)).filter((name) => name.endsWith(".json"));
	return ["classes.json", "spellings.json", "cues.json", "questions.json", "answers.json", "words.txt", ...rules.sort().map((name) => `rules/${name}`)];
}

/**
 * Reads and validates a lexicon folder.
 * @throws LabelError `invalid_lexicon` naming file and field.
 */
export function loadLexicon(folder: URL = ENGLISH): Lexicon {
	const read = <T>(name: string, schema: z.ZodType<T>): T => parseFile(new URL(name, folder), name, schema);
	return {
		language: "en",
		classes: read("classes.json", classTableSchema),
		spellings: read("spellings.json", spellingTableSchema),
		rules: lexiconFiles(folder)
			.filter((name) => name.startsWith("rules/"))
			.map((name) => read(name, ruleFileSchema)),
		cues: read("cues.json", cuesSchema),
		questions: read("questions.json", questionsSchema),
		answers: read("answers.json", answersSchema),
		words: readFileSync(new URL("words.txt", folder), "utf8").split("\n").filter(Boolean),
	};
}

function parseFile<T>(url: URL, name: string, schema: z.ZodType<T>): T {
	let value: unknown;
	try {
		value = JSON.parse(readFileSync(url, "utf8"));
	} catch (cause) {
		throw new LabelError("invalid_lexicon", `lexicon file ${name} can not be read as JSON`, { cause });
	}
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	throw new LabelError("invalid_lexicon", `lexicon file ${name}: ${issue?.path.join(".")}: ${issue?.message}`);
}
