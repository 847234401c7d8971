// How well mere form predicts the level of corpus rows, as AUROC (0.5: not at all): a model must not learn length or punctuation for risk.
//   npm run build && node scripts/shortcuts.mjs fixtures/corpus/*.tsv
import { readFileSync } from "node:fs";
import { auroc } from "../dist/evaluation/agreement.js";
import { parseCorpus } from "../dist/training/corpus.js";

const files = process.argv.slice(2);
if (files.length === 0) throw new Error("usage: node scripts/shortcuts.mjs <corpus files>");
const rows = files.flatMap((file) => parseCorpus(readFileSync(file, "utf8"), file)).map(({ turns, level }) => ({ text: turns.at(-1).content, level }));
const share = (pattern) => (text) => (text.match(pattern)?.length ?? 0) / text.length;

const FORMS = {
	"length in characters": (text) => text.length,
	"share of capitals": share(/\p{Lu}/gu),
	"begins with a capital": (text) => (/^\p{Lu}/u.test(text) ? 1 : 0),
	"ends with a full stop": (text) => (/\.$/.test(text.trim()) ? 1 : 0),
	"holds a question mark": (text) => (text.includes("?") ? 1 : 0),
	"exclamation marks": share(/!/g),
	commas: share(/,/g),
	ellipses: share(/\.\.\.|…/g),
	emoji: share(/\p{Extended_Pictographic}/gu),
	digits: share(/\d/g),
};

console.log(`${rows.length} rows`.padEnd(24), ["R1-mid+", "R1-high+", "R2"].map((name) => name.padStart(9)).join(""));
for (const [name, form] of Object.entries(FORMS)) {
	const values = rows.map(({ text, level }) => ({ value: form(text), level }));
	const figures = [1, 2, 3].map((from) => {
		const side = (isIn) => values.filter(({ level }) => level >= from === isIn).map(({ value }) => value);
		return auroc(side(true), side(false)).toFixed(3).padStart(9);
	});
	console.log(name.padEnd(24), figures.join(""));
}
