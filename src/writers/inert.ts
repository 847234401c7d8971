/** Text that a terminal only shows: control characters and escape sequences become visible signs, line breaks a space. */
export function inert(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
	return text.replace(/[\r\n\t]+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}
