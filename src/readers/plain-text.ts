const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
/** Elements that begin a new line when HTML is shown. */
const BREAKS = /<(?:br|\/p|\/div|\/li|\/h[1-6]|\/tr|\/blockquote)\b[^<>]*>/gi;

/** Characters for the entities that chat programs write. */
export function decodeEntities(text: string): string {
	return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
		if (name !== undefined) return ENTITIES[name.toLowerCase()] as string;
		const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
		return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
	});
}

/** The text of a message written in HTML (Intercom, Zendesk): tags off, line breaks kept. It is never shown as HTML again. Linear. */
export function htmlToText(html: string): string {
	if (!/[<&]/.test(html)) return html;
	const text = html
		.replace(/<(?:img)\b[^<>]*>/gi, "[image]")
		.replace(BREAKS, "\n")
		.replace(/<[/!a-z][^<>]*>/gi, "");
	return decodeEntities(text)
		.replace(/\n{3,}/g, "\n\n")
		.trim();
}
