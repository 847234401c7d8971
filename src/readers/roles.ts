import type { Role } from "../types.js";
import { RecordError } from "./record-error.js";

/** Roles as exports and data sets write them; the sources are in docs/formats.md. */
const NAMES_OF_ROLES: Record<Role, readonly string[]> = {
	user: [
		...[
			"user",
			"human",
			"prompter",
			"customer",
			"visitor",
			"client",
			"lead",
			"end-user",
			"end_user",
			"enduser",
			"end user",
			"contact",
			"member",
			"patient",
			"seeker",
			"usr",
		],
		// Group chats and their data sets: every author is a person.
		...["other", "participant"],
	],
	assistant: [
		...[
			"assistant",
			"gpt",
			"chatgpt",
			"bot",
			"ai",
			"model",
			"agent",
			"admin",
			"operator",
			"support",
			"supporter",
			"bing",
			"bard",
			"claude",
			"sys",
			"therapist",
			"counselor",
			"counsellor",
		],
	],
	system: ["system", "developer", "trigger"],
	tool: ["tool", "function", "ipython", "observation"],
};
const ROLE_OF_NAME = new Map<string, Role>(Object.entries(NAMES_OF_ROLES).flatMap(([role, names]) => names.map((name) => [name, role as Role] as const)));

/** What may be quoted in a message: a short token, which no sentence of a person is. */
const SHORT_TOKEN = /^[\w-]{1,24}$/;

/**
 * The role behind a written one. `roleMap` (keys in lower case) comes first.
 * @throws RecordError `invalid_record` when there is none, `unknown_role` naming the value if it is a short token
 */
export function toRole(value: unknown, roleMap: Readonly<Record<string, string>> | undefined): Role {
	const known = roleMap === undefined ? ROLE_OF_NAME.get(value as string) : undefined;
	if (known !== undefined) return known;
	if (value === undefined || value === null || value === "") throw new RecordError("invalid_record", "the message has no role");
	const written = typeof value === "string" ? value.trim().toLowerCase() : "";
	const mapped = roleMap !== undefined && Object.hasOwn(roleMap, written) ? (roleMap[written] as string).toLowerCase() : written;
	const role = ROLE_OF_NAME.get(mapped);
	if (role !== undefined) return role;
	const isShown = SHORT_TOKEN.test(written);
	throw new RecordError("unknown_role", `the role ${isShown ? `"${written}" ` : ""}is not known; map it with --role-map ${isShown ? written : "VALUE"}=user`);
}
