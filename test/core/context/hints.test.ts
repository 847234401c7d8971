import { describe, expect, test } from "vitest";
import { lastLabel } from "../../helpers/fold.js";

describe("hints of different kinds in one turn", () => {
	test("a rope and things given away leave no innocent reading", () => {
		const label = lastLabel(["gave my guitar to my cousin. got the rope"]);
		expect(label.r_level).toBe("R2");
		expect(label.imminence).toMatchObject({ means: "accessible", method: "hanging" });
	});

	test("one strong hint with an empty house and an hour is enough", () => expect(lastLabel(["got the rope, locked the door, tonight"]).r_level).toBe("R2"));

	test.each([
		"i have the rope",
		"i cleaned my room",
		"nobody is home tonight",
		"i cleaned my room and nobody is home",
		"last night i tidied my flat",
		"im doing it tonight",
	])("alone it is nothing: %s", (text) => expect(lastLabel([text]).r_level).toBe("R0"));
});
