import { z } from "zod";
import { toKnownTime } from "../services/turn-columns.js";
import * as T from "../types.js";

/** Longest content of one message, in UTF-16 units. */
export const MAX_CONTENT = 500_000;
/** Longest external id, in UTF-16 units. */
const MAX_ID = 512;
const MAX_TITLE = 2_000;

/** No unpaired surrogate: two such ids would be stored as the same one. Said as a pattern, so that OpenAPI says it too. */
const WELL_FORMED = /^\P{Surrogate}*$/u;

const externalId = z.string().min(1).max(MAX_ID).regex(WELL_FORMED, "Invalid text: it holds half of a surrogate pair");
const timestamp = z.iso.datetime({ precision: 3 }).meta({ description: "ISO 8601, UTC, with milliseconds" });
const score = z.number().min(0).max(1);
const rLevel = z.enum(T.R_LEVELS);
const named = <S extends z.ZodType>(id: string, schema: S) => schema.meta({ id });

export const sessionInputSchema = named(
	"SessionInput",
	z.object({
		external_id: externalId.nullish().meta({ description: "The client's id of the session; a UUID when omitted. Creation is idempotent on it." }),
		end_user_external_id: externalId.meta({ description: "The client's id of the person." }),
		title: z.string().max(MAX_TITLE).nullish(),
	}),
);

export const messageInputSchema = named(
	"MessageInput",
	z.object({
		role: z.enum(T.ROLES),
		content: z.string().min(1).max(MAX_CONTENT),
		external_id: externalId.nullish().meta({ description: "The client's id of the message. Appending is idempotent on it within the session." }),
		created_at: z.iso
			.datetime({ offset: true })
			.refine((time) => toKnownTime(Date.parse(time)) !== null, "Invalid time: the year must be 0001 to 9999 in UTC")
			.nullish()
			.meta({ description: "When it was said, ISO 8601 with a zone; now when omitted." }),
	}),
);

export const listQuerySchema = z.object({
	end_user_external_id: z.string().optional(),
	r_level: rLevel.optional().meta({ description: "Sessions of this level or higher" }),
	limit: z.coerce.number().int().min(1).max(200).default(50),
	cursor: z.string().optional().meta({ description: "next_cursor of the page before" }),
});

export const sessionSchema = named(
	"Session",
	z.object({
		id: z.int(),
		external_id: z.string(),
		end_user_id: z.int(),
		end_user_external_id: z.string(),
		title: z.string().nullable(),
		started_at: timestamp,
		last_message_at: timestamp,
		r_level: rLevel,
		srs: score.nullable(),
		status: z.literal("active"),
		message_count: z.int().min(0),
	}),
);

const scoresSchema = named("Scores", z.object(Object.fromEntries(T.SIGNALS.map((signal) => [signal, score])) as Record<T.Signal, typeof score>));

const imminenceSchema = named(
	"Imminence",
	z.object({
		level: z.enum(T.IMMINENCE_LEVELS),
		subject: z.enum(T.SUBJECTS),
		target: z.enum(T.TARGETS),
		ideation: z.enum(T.IDEATIONS),
		intent: z.enum(T.INTENTS),
		plan: z.enum(T.PLANS),
		means: z.enum(T.MEANS),
		method: z.enum(T.METHODS),
		preparation: z.boolean(),
		timeframe: z.enum(T.TIMEFRAMES),
		attempt: z.enum(T.ATTEMPTS),
		history: z.boolean(),
		protective: z.boolean(),
		danger_from_others: z.boolean(),
		since: z.record(z.string(), z.int().min(0)).meta({ description: "For each field that is set, the turn that set it" }),
	}),
);

const evidenceSchema = named(
	"Evidence",
	z.object({
		signal: z.enum(T.SIGNALS).nullable(),
		start: z.int().min(0).meta({ description: "Offset in UTF-16 units" }),
		end: z.int().min(0),
		text: z.string().optional().meta({ description: "Absent where content is not kept" }),
		rule: z.string(),
		modifiers: z.array(z.string()),
		contribution: z.number(),
	}),
);

const scoring = {
	prs: score,
	scores: scoresSchema,
	r_level: rLevel,
	imminence: imminenceSchema,
	session_srs: score,
	session_r_level: rLevel,
	evidence: z.array(evidenceSchema),
	language: z.string(),
	coverage: z.enum(T.COVERAGES),
	scorer_version: named("ScorerVersion", z.object({ name: z.string(), version: z.string(), lexicon: z.string(), model: z.string() })),
};

export const messageSchema = named(
	"Message",
	z.object({
		id: z.int(),
		external_id: z.string().nullable(),
		role: z.enum(T.ROLES),
		content: z.string().nullable().meta({ description: "Null where content is not kept" }),
		created_at: timestamp.nullable().meta({ description: "Null for a message of an export without times" }),
		...scoring,
	}),
);

export const appendedSchema = named(
	"Appended",
	z.object({ id: z.int(), session_id: z.int(), external_id: z.string().nullable(), role: z.enum(T.ROLES), created_at: timestamp.nullable(), ...scoring }),
);

export const sessionWithMessagesSchema = named("SessionWithMessages", sessionSchema.extend({ messages: z.array(messageSchema) }));

export const sessionListSchema = named("SessionList", z.object({ data: z.array(sessionSchema), has_more: z.boolean(), next_cursor: z.string().nullable() }));

/** The closed list of `error.type`. */
export const ERROR_TYPES = ["invalid_request_error", "authentication_error", "rate_limit_error", "api_error"] as const;
/** The closed list of `error.code`. */
export const API_ERROR_CODES = [
	"invalid_request",
	"unauthorized",
	"not_found",
	"method_not_allowed",
	"conflict",
	"too_large",
	"unsupported_media_type",
	"rate_limited",
	"internal",
	"busy",
] as const;

export const errorSchema = named(
	"Error",
	z.object({
		error: z.object({
			type: z.enum(ERROR_TYPES),
			code: z.enum(API_ERROR_CODES),
			message: z.string(),
			param: z.string().nullable().meta({ description: "The field at fault, where there is one" }),
			request_id: z.string(),
			line: z.int().min(1).optional().meta({ description: "Line of an NDJSON request, from 1" }),
		}),
	}),
);

export type SessionBody = z.infer<typeof sessionSchema>;
export type MessageBody = z.infer<typeof messageSchema>;
export type AppendedBody = z.infer<typeof appendedSchema>;
export type ErrorBody = z.infer<typeof errorSchema>;
