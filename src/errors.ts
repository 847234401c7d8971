/** Every error that the program raises on purpose carries one of these codes; doors turn them into exit or HTTP statuses. */
export const ERROR_CODES = [
	// usage and configuration
	"usage",
	"invalid_policy",
	"invalid_lexicon",
	"invalid_model",
	// inputs
	"file_not_found",
	"file_unreadable",
	"file_empty",
	"format_unknown",
	// records (rejects)
	"invalid_json",
	"invalid_utf8",
	"invalid_record",
	"line_too_long",
	"missing_column",
	"unknown_role",
	"empty_conversation",
	"session_diverges",
	"session_unknown",
	"archive_unreadable",
	// store
	"database_newer",
	"database_unreadable",
	"database_busy",
	"disk_full",
	"output_unwritable",
	// API
	"invalid_request",
	"unauthorized",
	"not_found",
	"method_not_allowed",
	"conflict",
	"too_large",
	"unsupported_media_type",
	"rate_limited",
	"internal",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** An error meant for people: says what, where and what to do; never holds message text. */
export class LabelError extends Error {
	readonly code: ErrorCode;
	/** Name of the field, flag or column at fault, where there is one. */
	readonly param: string | undefined;
	constructor(code: ErrorCode, message: string, options: { cause?: unknown; param?: string } = {}) {
		super(message, options.cause === undefined ? undefined : { cause: options.cause });
		this.name = "LabelError";
		this.code = code;
		this.param = options.param;
	}
}
