import { type Input, readInput } from "../../src/readers/index.js";
import type { InputConversation, RejectedRecord } from "../../src/readers/types.js";

/** Everything that an input gives, in two lists. */
export async function readAll(input: Input): Promise<{ conversations: InputConversation[]; rejects: RejectedRecord[] }> {
	const conversations: InputConversation[] = [];
	const rejects: RejectedRecord[] = [];
	for await (const record of readInput(input)) {
		if ("messages" in record) conversations.push(record);
		else rejects.push(record);
	}
	return { conversations, rejects };
}
