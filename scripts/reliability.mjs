// Draws docs/reliability.svg from the figures of a training run:
//   node bin/label.js train <corpus...> --out model.bin --json > train.json && node scripts/reliability.mjs train.json docs/reliability.svg
// One line a level: how often rows were of at least that level, by the probability that a model gave them which had not seen them.
import { readFileSync, writeFileSync } from "node:fs";
import * as echarts from "echarts";

const [source, target] = process.argv.slice(2);
if (!source || !target) throw new Error("usage: node scripts/reliability.mjs <output of label train --json> <file.svg>");
const { reliability } = JSON.parse(readFileSync(source, "utf8")).held_out;

const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width: 640, height: 480 });
const axis = (name) => ({ type: "value", name, nameLocation: "middle", nameGap: 32, min: 0, max: 1 });
chart.setOption({
	animation: false,
	backgroundColor: "#fff",
	legend: { top: 8 },
	xAxis: axis("probability by the model"),
	yAxis: axis("share of rows that were so"),
	series: [
		{
			name: "perfect",
			type: "line",
			symbol: "none",
			lineStyle: { type: "dashed", color: "#999" },
			itemStyle: { color: "#999" },
			data: [
				[0, 0],
				[1, 1],
			],
		},
		...Object.entries(reliability).map(([level, bins]) => ({
			name: `${level} or above`.replace("R2 or above", "R2"),
			type: "line",
			data: bins.map(({ predicted, observed }) => [predicted, observed]),
		})),
	],
});
writeFileSync(target, `${chart.renderToSVGString()}\n`);
chart.dispose();
