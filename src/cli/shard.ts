import { LabelError } from "../errors.js";
import { contentHash } from "../services/content-hash.js";

/**
 * Parses `--shard 3/16` (1 to n) into the test whether a session belongs to the shard.
 * @throws LabelError `usage`
 */
export function parseShard(text: string): (externalId: string) => boolean {
	const match = /^(\d+)\/(\d+)$/.exec(text);
	const [shard, count] = [Number(match?.[1]), Number(match?.[2])];
	if (!match || shard < 1 || shard > count)
		throw new LabelError("usage", `--shard ${text}: write number/count, e.g. 3/16, with a number from 1 to the count`, { param: "shard" });
	return (externalId) => contentHash("system", externalId) % count === shard - 1;
}
