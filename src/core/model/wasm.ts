const PAGE = 65536;

/** A place in a module's memory, in bytes. */
export type Place = WebAssembly.Global;

/** Each module is compiled when it is first used: a process that scores by rules alone needs none. */
const compiled = new Map<string, WebAssembly.Module>();

/** A fresh instance, with its own memory, of a module in base64. */
export function instantiate<Exports>(base64: string): Exports {
	let module = compiled.get(base64);
	if (module === undefined) {
		module = new WebAssembly.Module(Buffer.from(base64, "base64"));
		compiled.set(base64, module);
	}
	return new WebAssembly.Instance(module).exports as Exports;
}

/** Makes a memory at least `bytes` long; what stands in it stays, views made before are void. */
export function growTo(memory: WebAssembly.Memory, bytes: number): void {
	const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);
	if (missing > 0) memory.grow(missing);
}
