/** An interval that holds 95% of the resampled figures. */
export interface Interval {
	low: number;
	high: number;
}

/**
 * Percentile bootstrap over whole groups (conversations): turns of one conversation are not independent.
 * Deterministic: the same groups give the same interval.
 * @param measure figure of a sample; null results are left out
 * @param resamples number of samples drawn with replacement
 */
export function bootstrap<Group>(
	groups: readonly Group[],
	measure: (sample: readonly Group[]) => Record<string, number | null>,
	resamples: number,
): Record<string, Interval> {
	const drawn: Record<string, number[]> = {};
	let state = 1;
	const next = (): number => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
	for (let round = 0; round < resamples; round++) {
		const sample = groups.map(() => groups[Math.floor(next() * groups.length)] as Group);
		for (const [name, value] of Object.entries(measure(sample)))
			if (value !== null) {
				drawn[name] ??= [];
				drawn[name].push(value);
			}
	}
	return Object.fromEntries(Object.entries(drawn).map(([name, values]) => [name, percentiles(values)]));
}

function percentiles(values: number[]): Interval {
	values.sort((left, right) => left - right);
	const at = (share: number): number => values[Math.min(values.length - 1, Math.max(0, Math.round(share * (values.length - 1))))] as number;
	return { low: at(0.025), high: at(0.975) };
}
