// Prints seeds for new corpus rows: for each row a level, theme, person, place, situation, way of saying it, style and length, drawn
// independently of each other, so that writers leave their habits and nothing but the meaning goes with the level:
//   node scripts/corpus-seeds.mjs 1200 7
// (number of seeds, then any number: the same one gives the same seeds; a third argument `chat`: two thirds are ways of ending a chat). How rows are written from them: docs/accuracy.md.
import { readFileSync } from "node:fs";
import { createRandom } from "../dist/training/random.js";

const [count, draw = "1", kind] = process.argv.slice(2);
if (!(Number(count) > 0) || !Number.isInteger(Number(draw)) || ![undefined, "chat"].includes(kind))
	throw new Error("usage: node scripts/corpus-seeds.mjs <number of seeds> [draw, a whole number] [chat]");
const lists = JSON.parse(readFileSync(new URL("../fixtures/corpus/seeds.json", import.meta.url), "utf8"));
const random = createRandom(Number(draw));
const pick = (list) => list[Math.floor(random() * list.length)];
const levels = Object.entries(lists.levels).flatMap(([level, share]) => Array(share).fill(level));

for (let row = 1; row <= Number(count); row++) {
	const level = pick(levels);
	const theme = level === "R0" ? "any" : pick(lists.themes);
	const seed = [
		level,
		theme,
		pick(lists.personas),
		pick(lists.places),
		pick(lists.situations),
		pick(kind === "chat" && random() < 2 / 3 ? lists.waysInChat[level] : lists.ways[level]),
		pick(lists.styles),
		pick(lists.lengths),
	];
	console.log(`${row}. ${seed.join(" | ")}`);
}
