import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rollUp } from "../../../src/core/risk/rollup.js";
import type { SessionState } from "../../../src/types.js";
import { foldSession, rulesAlone } from "../../helpers/fold.js";

const risk = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);
const cut = fc.integer({ min: 10, max: 1000 }).map((thousandths) => thousandths / 1000);

/** Session risks after each of the turns. */
function rollAll(risks: readonly (readonly [number, boolean])[], r2Cut: number): number[] {
	let state: SessionState = rulesAlone.start();
	return risks.map(([prs, isUser]) => {
		const next = rollUp(state, prs, isUser, r2Cut);
		state = { ...state, ...next };
		return next.srs;
	});
}

describe("rollup", () => {
	test("never falls, never lies below a user turn's risk", () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(risk, fc.boolean())), cut, (turns, r2) => {
				let before = 0;
				rollAll(turns, r2).forEach((srs, at) => {
					const [prs, isUser] = turns[at] as [number, boolean];
					expect(srs).toBeGreaterThanOrEqual(before);
					if (isUser) expect(srs).toBeGreaterThanOrEqual(prs);
					else expect(srs).toBe(before);
					before = srs;
				});
			}),
		);
	});

	test("persistence never reaches R2", () => {
		fc.assert(
			fc.property(fc.array(risk, { minLength: 1, maxLength: 60 }), cut, (risks, r2) => {
				const low = risks.map((prs) => [Math.min(prs, r2 - 0.001), true] as const);
				for (const srs of rollAll(low, r2)) expect(srs).toBeLessThan(r2);
			}),
		);
	});

	test("is 1.25 times the mean with a half-life of three user turns", () => {
		expect(
			rollAll(
				Array.from({ length: 3 }, () => [0.4, true] as const),
				0.8,
			),
		).toEqual([0.4, 0.4, 0.4]);
		const lasting = rollAll(
			Array.from({ length: 12 }, () => [0.45, true] as const),
			0.8,
		);
		// mean after n turns: 0.45 * (1 - 2^(-n/3)); times 1.25 it passes 0.45 when 2^(-n/3) < 0.2, so at n = 7
		expect(lasting.slice(0, 6)).toEqual([0.45, 0.45, 0.45, 0.45, 0.45, 0.45]);
		expect(lasting[6]).toBeCloseTo(1.25 * 0.45 * (1 - 2 ** (-7 / 3)), 3);
		expect(lasting[11]).toBeCloseTo(1.25 * 0.45 * (1 - 2 ** -4), 3);
	});

	test("distress that lasts lifts a session from R1-mid to R1-high", () => {
		const labels = foldSession(Array.from({ length: 20 }, () => "another panic attack, my chest is tight, i hate myself and i feel so alone"));
		expect(labels[0]?.session_r_level).toBe("R1-mid");
		expect(labels.at(-1)).toMatchObject({ r_level: "R1-mid", session_r_level: "R1-high" });
	});
});
