// How many ordinary turns are flagged: user turns at R1-high or above, and at R2, in 1,000, for each public set of ordinary talk.
//   npm run build && node scripts/flag-rate.mjs ../shared/data/public [--rules] [--show 20]
// Every user turn of every conversation is scored in its session. The text of a flagged turn is only printed with --show, for reading.
import { readFileSync } from "node:fs";
import { openScorer } from "../dist/lexicon/open-scorer.js";

const SETS = ["goemotions", "clinc150", "banking77", "alpaca_instructions", "topical_chat", "conda", "isarcasm", "impli_idioms", "slack_sgd_sessions"];
const [folder, ...flags] = process.argv.slice(2);
if (!folder) throw new Error("usage: node scripts/flag-rate.mjs <folder of public sets> [--rules] [--show n]");
const scorer = openScorer(flags.includes("--rules") ? { modelFile: null } : {});
const show = flags.includes("--show") ? Number(flags[flags.indexOf("--show") + 1]) : 0;

const total = { turns: 0, high: 0, acute: 0 };
const flagged = [];
console.log("set                    turns   R1-high+ in 1,000   R2 in 1,000");
for (const name of SETS) {
	const count = { turns: 0, high: 0, acute: 0 };
	for (const line of readFileSync(`${folder}/${name}.jsonl`, "utf8").split("\n").filter(Boolean)) {
		const record = JSON.parse(line);
		// goemotions' training split is among the training rows.
		if (name === "goemotions" && !/^(dev|val)/.test(record.split)) continue;
		let state = scorer.start();
		for (const { role, content } of record.turns ?? [{ role: "user", content: record.text }]) {
			if (!content?.trim()) continue;
			const isUser = role !== "assistant";
			const result = scorer.step(state, { role: isUser ? "user" : "assistant", content });
			state = result.state;
			if (!isUser) continue;
			count.turns++;
			if (result.label.prs < 0.5) continue;
			count.high++;
			if (result.label.prs >= 0.8) count.acute++;
			flagged.push(
				`${name} ${result.label.r_level} ${result.label.evidence.map(({ rule }) => rule).join(" ")} | ${content.slice(0, 200).replaceAll("\n", " ")}`,
			);
		}
	}
	print(name, count);
	for (const key of Object.keys(total)) total[key] += count[key];
}
print("all", total);
for (let at = 0; at < flagged.length && show > 0; at += Math.max(1, Math.floor(flagged.length / show))) console.log(flagged[at]);

function print(name, { turns, high, acute }) {
	console.log(
		`${name.padEnd(20)} ${String(turns).padStart(7)} ${((high / turns) * 1000).toFixed(2).padStart(19)} ${((acute / turns) * 1000).toFixed(2).padStart(13)}`,
	);
}
