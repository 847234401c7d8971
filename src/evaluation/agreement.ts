/** Agreement of ordered categories. Pure; rates are null where nothing could be counted. */

/** counts[gold][predicted], categories in rising order. */
export type Confusion = number[][];

/** @param pairs gold and predicted category numbers, each below `size` */
export function confusion(pairs: readonly (readonly [number, number])[], size: number): Confusion {
	const counts = Array.from({ length: size }, () => new Array<number>(size).fill(0));
	for (const [gold, predicted] of pairs) {
		const row = counts[gold] as number[];
		row[predicted] = (row[predicted] as number) + 1;
	}
	return counts;
}

/** Share of pairs on the diagonal. */
export function exactAgreement(counts: Confusion): number | null {
	const all = total(counts);
	return all === 0 ? null : counts.reduce((sum, row, at) => sum + (row[at] as number), 0) / all;
}

/** Quadratic weighted kappa (Cohen 1968): 1 is perfect, 0 what chance gives. Null when chance already agrees fully. */
export function quadraticKappa(counts: Confusion): number | null {
	const all = total(counts);
	const rows = counts.map(sum);
	const columns = counts.map((_, at) => sum(counts.map((row) => row[at] as number)));
	let observed = 0;
	let expected = 0;
	counts.forEach((row, gold) => {
		row.forEach((count, predicted) => {
			const weight = (gold - predicted) ** 2;
			observed += weight * count;
			expected += (weight * (rows[gold] as number) * (columns[predicted] as number)) / all;
		});
	});
	return expected === 0 ? null : 1 - observed / expected;
}

/** Share of items of gold category `from` or above that are predicted `to` or above. */
export function recallAtLeast(counts: Confusion, from: number, to: number): number | null {
	const rows = counts.slice(from);
	return ratio(sum(rows.map((row) => sum(row.slice(to)))), sum(rows.map(sum)));
}

/** Share of items predicted `level` or above whose gold category is `level` or above. */
export function precisionAtLeast(counts: Confusion, level: number): number | null {
	return ratio(sum(counts.slice(level).map((row) => sum(row.slice(level)))), sum(counts.map((row) => sum(row.slice(level)))));
}

/** Share of items of the lowest category that are predicted `level` or above. */
export function falsePositiveRate(counts: Confusion, level: number): number | null {
	const row = counts[0] as number[];
	return ratio(sum(row.slice(level)), sum(row));
}

/** Area under the ROC curve by ranks (Mann-Whitney), ties count half. Null without both kinds. */
export function auroc(positives: readonly number[], negatives: readonly number[]): number | null {
	if (positives.length === 0 || negatives.length === 0) return null;
	const all = [...positives.map((score) => ({ score, is: 1 })), ...negatives.map((score) => ({ score, is: 0 }))].sort(
		(left, right) => left.score - right.score,
	);
	let ranks = 0;
	for (let at = 0; at < all.length; ) {
		let end = at;
		let inTie = 0;
		while (end < all.length && all[end]?.score === all[at]?.score) inTie += all[end++]?.is as number;
		ranks += (inTie * (at + 1 + end)) / 2;
		at = end;
	}
	return (ranks - (positives.length * (positives.length + 1)) / 2) / (positives.length * negatives.length);
}

/** Harmonic mean of precision and recall of scores at a threshold. Null when there is neither a positive nor an alarm. */
export function f1(positives: readonly number[], negatives: readonly number[], threshold: number): number | null {
	const hits = positives.filter((score) => score >= threshold).length;
	const alarms = negatives.filter((score) => score >= threshold).length;
	return ratio(2 * hits, positives.length + hits + alarms);
}

function ratio(part: number, whole: number): number | null {
	return whole === 0 ? null : part / whole;
}

function total(counts: Confusion): number {
	return sum(counts.map(sum));
}

function sum(values: readonly number[]): number {
	let result = 0;
	for (const value of values) result += value;
	return result;
}
