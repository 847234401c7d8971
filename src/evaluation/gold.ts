import { z } from "zod";
import { LabelError } from "../errors.js";
import { R_LEVELS, ROLES, SIGNALS } from "../types.js";

const level = z.enum(R_LEVELS);
const signals = z.array(z.enum(SIGNALS));

/** One conversation with human labels: each labelled turn has `gold`. */
export const goldSchema = z.object({
	id: z.string(),
	topic: z.string().optional(),
	turns: z
		.array(
			z.object({
				role: z.enum(ROLES),
				content: z.string(),
				gold: z
					.object({
						r_level: level,
						/** Signals that are clearly there. */
						signals: signals.default([]),
						/** Signals that may be there: left out of the signal figures. */
						maybe: signals.default([]),
						/** Only the fields that the annotator judged. */
						imminence: z.record(z.string(), z.union([z.string(), z.boolean()])).default({}),
						modifiers: z.array(z.string()).default([]),
					})
					.optional(),
			}),
		)
		.min(1),
	gold: z.object({ session_r_level: level }).optional(),
});
export type GoldConversation = z.infer<typeof goldSchema>;

/**
 * Parses a gold file (JSONL, a conversation a line).
 * @throws LabelError `invalid_record` naming file and line, never the text
 */
export function parseGold(text: string, file: string): GoldConversation[] {
	const conversations: GoldConversation[] = [];
	text.split("\n").forEach((line, at) => {
		if (line.trim() === "") return;
		const where = `${file}, line ${at + 1}`;
		let value: unknown;
		try {
			value = JSON.parse(line);
		} catch (cause) {
			throw new LabelError("invalid_record", `${where}: not JSON`, { cause });
		}
		const parsed = goldSchema.safeParse(value);
		if (!parsed.success) {
			const issue = parsed.error.issues[0];
			throw new LabelError("invalid_record", `${where}: ${issue?.path.join(".")}: ${issue?.message}`);
		}
		conversations.push(parsed.data);
	});
	if (conversations.length === 0) throw new LabelError("file_empty", `${file} holds no labelled conversation`);
	return conversations;
}
