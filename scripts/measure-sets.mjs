// How well the scores rank the public sets that may only be measured on (their labels follow other definitions than the guide's):
//   npm run build && node scripts/measure-sets.mjs ../shared/data/public
// Prints the AUROC of a score for the texts that a set marks against those that it does not.
import { readFileSync } from "node:fs";
import { auroc } from "../dist/evaluation/agreement.js";
import { openScorer } from "../dist/lexicon/open-scorer.js";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("usage: node scripts/measure-sets.mjs <folder of public sets>");
const scorer = openScorer();
const most = (scores, ...signals) => Math.max(...signals.map((signal) => scores[signal]));
const is = (name) => (label) => (label === name || label === "no_crisis" ? label === name : undefined);

/** Set, what is asked of it, the figure that issue 4 asks for, which texts are marked (undefined: left out), and the score. */
const MEASURES = [
	["irf", "isolation, belongingness or burden", 0.72, (label) => Object.values(label).includes("1"), (s) => s.isolation],
	["irf", "isolation, burden", null, (label) => label.perceived_burdensomeness === "1", (s) => s.isolation],
	["irf", "isolation, belongingness", null, (label) => label.thwarted_belongingness === "1", (s) => s.isolation],
	["reddit_impacts", "substance misuse", 0.8, (label) => Object.values(label).includes(1), (s) => s.substance_misuse],
	["crisis_llm_silver", "suicidal ideation", 0.93, is("suicidal_ideation"), (s) => s.suicidal_ideation],
	["crisis_llm_silver", "self-harm", 0.93, is("self-harm"), (s) => s.self_harm],
	["crisis_llm_silver", "substance misuse", null, is("substance_abuse_or_withdrawal"), (s) => s.substance_misuse],
	["crisis_llm_silver", "anxiety", null, is("anxiety_crisis"), (s) => s.anxiety],
	["crisis_llm_silver", "violence", null, is("violent_thoughts"), (s) => s.harm_to_others],
	["dreaddit", "stress by anxiety or depression", 0.75, (label) => label.stress === 1, (s) => most(s, "anxiety", "depression")],
];

const labels = new Map();
for (const name of new Set(MEASURES.map(([set]) => set))) {
	const rows = readFileSync(`${folder}/${name}.jsonl`, "utf8")
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line))
		.filter(({ text }) => text?.trim());
	labels.set(
		name,
		rows.map(({ text, label }) => ({ label, scores: scorer.step(scorer.start(), { role: "user", content: text }).label.scores })),
	);
}
console.log("set                 score                                 AUROC  asked  marked  others");
for (const [name, what, asked, mark, score] of MEASURES) {
	const sides = { true: [], false: [] };
	for (const { label, scores } of labels.get(name)) sides[label === null ? undefined : mark(label)]?.push(score(scores));
	const figure = auroc(sides.true, sides.false);
	console.log(
		`${name.padEnd(19)} ${what.padEnd(37)} ${figure.toFixed(3)}  ${(asked ?? "-").toString().padEnd(5)} ${String(sides.true.length).padStart(7)} ${String(sides.false.length).padStart(7)}`,
	);
}
