import { toLabelError } from "./store-errors.js";

/** Runs `work`; a fault of SQLite leaves as a `LabelError`. */
export function guard<T>(path: string, work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw toLabelError(error, path);
	}
}

/** The same part of the store, every method guarded; what a generator throws later too. */
export function guardAll<T extends object>(path: string, part: T): T {
	const guarded = Object.entries(part).map(([name, method]: [string, (...args: unknown[]) => unknown]) => [
		name,
		(...args: unknown[]) =>
			guard(path, () => {
				const result = method(...args);
				return isGenerator(result) ? guardGenerator(path, result) : result;
			}),
	]);
	return Object.fromEntries(guarded) as T;
}

function* guardGenerator<T>(path: string, items: Iterable<T>): Generator<T> {
	try {
		yield* items;
	} catch (error) {
		throw toLabelError(error, path);
	}
}

function isGenerator(value: unknown): value is Generator<unknown> {
	return typeof value === "object" && value !== null && Symbol.iterator in value && "next" in value;
}
