import type { Role } from "../../types.js";

/** Roles whose last turn the model takes into account, in the order of its weights. */
export const HEARD_ROLES = ["user", "assistant"] as const;

/** What was said before a turn: the user's last turn, and the assistant's since then. Other turns are not listened to. */
export type Before<Said> = { [Of in (typeof HEARD_ROLES)[number]]?: Said };

/** What stands before the next turn, after `role` has said something. */
export function hear<Said>(before: Before<Said>, role: Role, said: () => Said): Before<Said> {
	if (role === "user") return { user: said() };
	return role === "assistant" ? { ...before, assistant: said() } : before;
}

/** Only the last words of a turn are heard. */
export const LAST_WORDS = 40;
/** Added to the number of words when their vectors are averaged, so that "ok" says little. */
export const FEW_WORDS = 3;
