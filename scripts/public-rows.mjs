// Writes training rows from the public sets beside the repository into a folder outside it (their text may not be copied into it):
//   node scripts/public-rows.mjs ../shared/data /tmp/public-rows
// silver.tsv: real text with the guide's labels (the data folder's and ours, fixtures/silver, joined by id); ordinary.tsv: what people type
// to assistants, banks and forums, presumed R0 unless the rules alone see something in it. Only sets that may be trained on, and only their training splits.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openScorer } from "../dist/lexicon/open-scorer.js";

const [data, out] = process.argv.slice(2);
if (!data || !out) throw new Error("usage: node scripts/public-rows.mjs <shared/data> <out folder>");
mkdirSync(out, { recursive: true });

const TRAINABLE = [
	"goemotions",
	"sad_stress",
	"counselchat_questions",
	"rallypoint",
	"clinc150",
	"banking77",
	"alpaca_instructions",
	"hatecheck",
	"drug_mentions",
	"spiral_bench",
];
const read = (name) =>
	readFileSync(`${data}/public/${name}.jsonl`, "utf8")
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line));
const toCell = (text) => text.replaceAll("\r", "").replaceAll("\t", " ").replaceAll("\n", "\\n").trim();
const sets = Object.fromEntries(TRAINABLE.map((name) => [name, read(name)]));

/** Rows by data set and id; a later file settles what an earlier one said of the same text. */
const silver = new Map();
const labelled = new Set();
const byId = Object.fromEntries(TRAINABLE.map((name) => [name, new Map(sets[name].map((row) => [String(row.id), row]))]));
const OWN_LABELS = fileURLToPath(new URL("../fixtures/silver", import.meta.url));
for (const file of [`${data}/silver`, OWN_LABELS].flatMap((folder) =>
	readdirSync(folder)
		.filter((name) => name.endsWith(".tsv"))
		.sort()
		.map((name) => `${folder}/${name}`),
)) {
	for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
		const [set, id, level, signals] = line.split("\t");
		if (!TRAINABLE.includes(set)) continue;
		const [rowId, turn] = id.split("#");
		const row = byId[set].get(rowId) ?? byId[set].get(id);
		const text = turn === undefined ? row?.text : row?.turns?.[Number(turn)]?.content;
		if (!text?.trim()) continue;
		labelled.add(`${set} ${rowId}`);
		silver.set(`${set} ${id}`, `${level}\t${signals}\t${toCell(text)}`);
	}
}

const rules = openScorer({ modelFile: null });
const FEELINGS = new Set(["sadness", "grief", "fear", "remorse", "nervousness", "disappointment", "anger", "disgust", "embarrassment"]);
const ORDINARY = ["goemotions", "clinc150", "banking77", "alpaca_instructions"];
const ordinary = [];
for (const name of ORDINARY) {
	sets[name].forEach((row, at) => {
		if (labelled.has(`${name} ${row.id}`) || !row.text?.trim()) return;
		const isTraining = name === "alpaca_instructions" ? at % 2 === 0 : /train/.test(row.split);
		if (!isTraining || (Array.isArray(row.label) && row.label.some((label) => FEELINGS.has(label)))) return;
		const { label } = rules.step(rules.start(), { role: "user", content: row.text });
		if (label.r_level === "R0") ordinary.push(`R0\t-\t${toCell(row.text)}`);
	});
}
writeFileSync(`${out}/silver.tsv`, `${[...silver.values()].join("\n")}\n`);
writeFileSync(`${out}/ordinary.tsv`, `${ordinary.join("\n")}\n`);
console.log(`${silver.size} silver rows, ${ordinary.length} ordinary rows`);
