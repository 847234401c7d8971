import { LEVEL_HEADS } from "../core/model/heads.js";
import { sigmoid } from "../core/model/model.js";
import { auroc } from "../evaluation/agreement.js";
import { R_LEVELS, SIGNALS } from "../types.js";
import { type Prepared, sideOf } from "./fit.js";
import { FOLDS } from "./train.js";

/** One bin of a reliability plot: what the model said of its rows on average, and how many of them were so. */
export interface ReliabilityBin {
	predicted: number;
	observed: number;
	rows: number;
}

/** Figures on rows that the model at hand was not trained on. */
export interface HeldOut {
	/** By name; null where a side has no rows. */
	figures: Record<string, number | null>;
	/** The same for each fold alone. */
	folds: Record<string, number | null>[];
	/** Per level above R0: calibrated probabilities in tenths, empty ones left out. */
	reliability: Record<string, ReliabilityBin[]>;
}

type Outputs = readonly Float64Array[];
type Curve = { slope: Float32Array; offset: Float32Array };

/** Ranks and calibration of outputs on held-out rows. */
export function measureHeldOut(rows: readonly Prepared[], outputs: Outputs, curve: Curve): HeldOut {
	const all = rows.map((_, at) => at);
	return {
		figures: rank(all, rows, outputs),
		folds: Array.from({ length: FOLDS }, (_, fold) =>
			rank(
				all.filter((at) => rows[at]?.fold === fold),
				rows,
				outputs,
			),
		),
		reliability: Object.fromEntries(R_LEVELS.slice(1).map((level, head) => [level, bins(rows, outputs, head, curve)])),
	};
}

/** AUROC of every head; a signal's weak mentions (0.15 to 0.5) belong to neither side. */
function rank(chosen: readonly number[], rows: readonly Prepared[], outputs: Outputs): Record<string, number | null> {
	const figures: Record<string, number | null> = {};
	const measure = (name: string, head: number): void => {
		const sides: [number[], number[]] = [[], []];
		for (const at of chosen) {
			const side = sideOf((rows[at] as Prepared).example, head);
			if (side !== undefined) sides[side ? 0 : 1].push(outputs[at]?.[head] as number);
		}
		figures[`auroc(${name})`] = auroc(...sides);
	};
	for (let head = 0; head < LEVEL_HEADS; head++) measure(R_LEVELS[head + 1] as string, head);
	SIGNALS.forEach((signal, index) => void measure(signal, LEVEL_HEADS + index));
	return figures;
}

function bins(rows: readonly Prepared[], outputs: Outputs, head: number, { slope, offset }: Curve): ReliabilityBin[] {
	const sums = Array.from({ length: 10 }, () => ({ predicted: 0, observed: 0, rows: 0 }));
	rows.forEach(({ example }, at) => {
		const probability = sigmoid((slope[head] as number) * (outputs[at]?.[head] as number) + (offset[head] as number));
		const bin = sums[Math.min(9, Math.floor(probability * 10))] as ReliabilityBin;
		bin.predicted += probability;
		bin.observed += example.level > head ? 1 : 0;
		bin.rows++;
	});
	return sums
		.filter(({ rows: count }) => count > 0)
		.map(({ predicted, observed, rows: count }) => ({ predicted: predicted / count, observed: observed / count, rows: count }));
}
