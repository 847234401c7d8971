/** What training starts its generators from; any number does. */
const SEED = 20240229;

/** A linear congruential generator (Numerical Recipes): seeded, so that training is repeatable. Numbers in [0, 1). */
export function createRandom(seed = SEED): () => number {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

/** Fisher-Yates. */
export function shuffle(order: number[], random: () => number): void {
	for (let at = order.length - 1; at > 0; at--) {
		const other = Math.floor(random() * (at + 1));
		[order[at], order[other]] = [order[other] as number, order[at] as number];
	}
}
