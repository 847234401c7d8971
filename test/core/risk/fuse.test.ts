import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { LEVEL_HEADS } from "../../../src/core/model/heads.js";
import { parseModel } from "../../../src/core/model/model.js";
import { consultModel, unlessRejected } from "../../../src/core/risk/fuse.js";
import { createEngine } from "../../../src/core/scorer.js";
import { type Engine, read, startSession } from "../../../src/core/step.js";
import { loadLexicon } from "../../../src/lexicon/load-lexicon.js";
import { SIGNALS } from "../../../src/types.js";

let engine: Engine;
beforeAll(() => {
	const model = parseModel(readFileSync(new URL("../../../src/lexicon/en/model.bin", import.meta.url)));
	engine = createEngine({ lexicon: loadLexicon(), model, version: { name: "test", version: "", lexicon: "", model: "" } });
});

/** The risk of a turn in which the model's answers are given: the three levels and the strongest signal. */
function risk(content: string, levels: readonly [number, number, number], signal: number): number {
	const predictor = engine.predictor as NonNullable<Engine["predictor"]>;
	const { probabilities } = predictor;
	const says = Object.assign(Object.create(predictor), {
		predict: () => {
			probabilities.fill(0.001);
			probabilities.set(levels);
			probabilities[LEVEL_HEADS] = signal;
		},
	});
	return consultModel(read(startSession(), { role: "user", content }, engine), says).risk;
}

const PLAIN = "the third shelf from the left";

test("where no rule supports it, the model raises a turn above R1-mid only when it is sure that there is trouble and which", () => {
	expect(risk(PLAIN, [0.95, 0.9, 0.1], 0.9)).toBeGreaterThanOrEqual(0.5);
	expect(risk(PLAIN, [0.95, 0.9, 0.9], 0.9)).toBeGreaterThanOrEqual(0.8);
	expect(risk(PLAIN, [0.6, 0.9, 0.9], 0.4)).toBeLessThan(0.5);
	expect(risk(PLAIN, [0.9, 0.9, 0.9], 0.02)).toBeLessThan(0.5);
	expect(risk(PLAIN, [0.6, 0.9, 0.9], 0.4)).toBeGreaterThanOrEqual(0.25);
});

test("a rule's finding is support: then the cuts alone decide", () => {
	expect(risk("everything is hopeless", [0.6, 0.9, 0.1], 0.3)).toBeGreaterThanOrEqual(0.5);
});

test("a mention whose signal the model rejects is not clear; without a model it counts as it is", () => {
	const model = (score: number) => ({ risk: 0, scores: SIGNALS.map(() => score), phrases: {} });
	expect(unlessRejected(0.75, "hopelessness", model(0.1))).toBe(0.4);
	expect(unlessRejected(0.3, "hopelessness", model(0.1))).toBe(0.3);
	expect(unlessRejected(0.75, "hopelessness", model(0.2))).toBe(0.75);
	expect(unlessRejected(0.75, "hopelessness", undefined)).toBe(0.75);
});
