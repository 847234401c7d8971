import fc from "fast-check";
import { expect, test } from "vitest";
import { topLevelKeys, walkJson } from "../../src/readers/json-walk.js";

/** Bytes in pieces of the given size. */
async function* pieces(text: string, size: number): AsyncGenerator<Buffer> {
	const bytes = Buffer.from(text);
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function elements(text: string, path: string[], size: number, head: Record<string, unknown> = {}): Promise<unknown[]> {
	const found: unknown[] = [];
	for await (const step of walkJson(pieces(text, size), path, head)) {
		expect(step.kind).toBe("element");
		if (step.kind === "element") found.push(JSON.parse((step.value.bytes as Buffer).toString("utf8")));
	}
	return found;
}

const size = fc.integer({ min: 1, max: 40 });
const indent = fc.constantFrom(0, 1, "\t");

test("property: the elements of any array are those that JSON.parse finds, however the bytes come", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 6 }), size, indent, async (values, step, space) => {
			const text = JSON.stringify(values, null, space);
			expect(await elements(text, [], step)).toEqual(JSON.parse(text));
		}),
	);
});

test("property: a list below the top is walked, and what stands beside it is collected", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 4 }), fc.jsonValue(), fc.jsonValue(), size, indent, async (values, before, after, step, space) => {
			const text = JSON.stringify({ before, chats: { note: 1, list: values, other: [] }, after }, null, space);
			const head: Record<string, unknown> = {};
			expect(await elements(text, ["chats", "list"], step, head)).toEqual(JSON.parse(JSON.stringify(values)));
			expect(head).toEqual(JSON.parse(JSON.stringify({ before, note: 1, other: [], after })));
		}),
	);
});

test("property: a document that is cut off gives the whole elements before the cut, and says that it is cut", async () => {
	const record = fc.record({ text: fc.string(), list: fc.array(fc.integer(), { maxLength: 3 }) });
	await fc.assert(
		fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 5 }), fc.nat(), size, async (values, cut, step) => {
			const text = JSON.stringify(values);
			const end = 1 + (cut % (text.length - 1));
			const steps = [];
			for await (const each of walkJson(pieces(text.slice(0, end), step), [], {})) steps.push(each);
			const whole = steps.flatMap((each) =>
				each.kind === "element" && each.value.isWhole && each.value.bytes?.length ? [each.value.bytes.toString("utf8")] : [],
			);
			expect(whole).toEqual(values.slice(0, whole.length).map((value) => JSON.stringify(value)));
			expect(steps.some((each) => each.kind === "broken" || !each.value.isWhole || each.value.bytes?.length === 0)).toBe(true);
		}),
	);
});

test("lines are counted", async () => {
	const lines = [];
	for await (const step of walkJson(pieces('[\n{"a":\n1},\n\n"x",\n[\n]]', 3), [], {})) lines.push(step.kind === "element" ? step.value.line : null);
	expect(lines).toEqual([2, 5, 6]);
});

test("property: the keys of an object's beginning are its own, not those of its values", () => {
	fc.assert(
		fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.jsonValue(), { maxKeys: 5 }), (object) => {
			expect([...topLevelKeys(JSON.stringify(object, null, 1))].sort()).toEqual(Object.keys(object).sort());
		}),
	);
});
