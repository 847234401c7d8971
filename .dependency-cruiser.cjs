/** Who may know whom (docs/architecture.md, section 3). `npm run check` fails when a rule is broken or when no module was seen. */
module.exports = {
	forbidden: [
		{ name: "core-is-pure", comment: "The core knows nothing but itself, types and errors: give it what it needs as an argument.", severity: "error", from: { path: "^src/core" }, to: { pathNot: "^src/(core/|types\\.ts|errors\\.ts)" } },
		{ name: "edges-apart", comment: "Readers, writers and store never import one another: the services join them.", severity: "error", from: { path: "^src/(readers|writers|store)/" }, to: { path: "^src/(readers|writers|store)/", pathNot: "^src/$1/" } },
		{ name: "edges-below", comment: "Readers and writers know types and errors only.", severity: "error", from: { path: "^src/(readers|writers)/" }, to: { path: "^src/(core|services|cli|server|lexicon|training|evaluation)/" } },
		{ name: "store-behind-ports", comment: "The store implements the services' ports and knows nothing else of them.", severity: "error", from: { path: "^src/store/" }, to: { path: "^src/(services/(?!(ports|stored-label|turn-columns|content-hash)\\.ts)|cli|server|lexicon|readers|core)" } },
		{ name: "only-store-opens-sqlite", comment: "better-sqlite3 stays in the store, so that another store can take its place.", severity: "error", from: { path: "^src/", pathNot: "^src/store/" }, to: { path: "better-sqlite3" } },
		{ name: "no-scoring-at-the-doors", comment: "Doors score through a Scorer, never with the core's parts.", severity: "error", from: { path: "^src/(cli|server|store)/" }, to: { path: "^src/core/" } },
		{ name: "server-not-cli", comment: "The server never reaches the command line.", severity: "error", from: { path: "^src/server/" }, to: { path: "^src/cli/" } },
		{ name: "cli-reaches-server-in-serve", comment: "Only `label serve` starts the server.", severity: "error", from: { path: "^src/cli/", pathNot: "^src/cli/commands/serve\\.ts$" }, to: { path: "^src/server/" } },
		{ name: "services-below-doors", comment: "Services do not know the doors.", severity: "error", from: { path: "^src/services/" }, to: { path: "^src/(cli|server|dashboard|writers)/" } },
		{ name: "evaluation-is-pure", comment: "Metrics know types and errors only.", severity: "error", from: { path: "^src/evaluation/" }, to: { path: "^src/(core|services|cli|server|store|readers|writers|lexicon)/" } },
		{ name: "no-circles", comment: "A circle of imports has no first reader.", severity: "error", from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } } },
	],
	options: { doNotFollow: { path: "node_modules" }, tsPreCompilationDeps: true, tsConfig: { fileName: "tsconfig.json" } },
};
