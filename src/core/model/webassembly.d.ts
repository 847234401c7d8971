/** What the model uses of WebAssembly; TypeScript keeps these types with those of browsers. */
declare namespace WebAssembly {
	class Module {
		constructor(bytes: Uint8Array);
	}
	class Instance {
		constructor(module: Module);
		readonly exports: Record<string, unknown>;
	}
	interface Memory {
		readonly buffer: ArrayBuffer;
		/** Adds pages of 64 KiB; earlier views of `buffer` are void afterwards. */
		grow(pages: number): number;
	}
	interface Global {
		readonly value: number;
	}
}
