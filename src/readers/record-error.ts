import type { ErrorCode } from "../errors.js";

/** A problem of one record; the record is rejected with it. The message never quotes people's text. */
export class RecordError extends Error {
	constructor(
		readonly code: ErrorCode,
		message: string,
	) {
		super(message);
		this.name = "RecordError";
	}
}
