import { RecordError } from "./record-error.js";

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Text of bytes `start` to `end` (excluded). Decoding a record alone is twice as fast as a whole block, where one emoji makes all of it
 * two-byte; only a text with U+FFFD in it is decoded again to see whether that sign stood there.
 * @throws RecordError `invalid_utf8`
 */
export function toText(buffer: Buffer, start: number, end: number): string {
	const text = buffer.toString("utf8", start, end);
	if (text.includes("\ufffd")) {
		try {
			STRICT.decode(buffer.subarray(start, end));
		} catch {
			throw new RecordError("invalid_utf8", "the record is not valid UTF-8");
		}
	}
	return text;
}

/** A view of bytes as a Buffer, without copying. */
export function toBuffer(bytes: Uint8Array): Buffer {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
