import { LabelError } from "../errors.js";

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses JSON as it came over the wire.
 * @throws LabelError `invalid_request` for invalid UTF-8 or JSON; JSON.parse's own message quotes the text, so it is not passed on
 */
export function parseJson(bytes: Uint8Array): unknown {
	let text: string;
	try {
		text = decoder.decode(bytes);
	} catch {
		throw new LabelError("invalid_request", "The body is not valid UTF-8.");
	}
	try {
		return JSON.parse(text);
	} catch {
		throw new LabelError("invalid_request", "The body is not valid JSON.");
	}
}
