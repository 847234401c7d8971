import { createTenants, type Tenants, type TenantWithKey } from "../../services/tenants.js";
import { openStore } from "../../store/open-store.js";
import { toTable } from "../../writers/table.js";
import type { CommandContext } from "../command.js";
import { type CommonFlags, createOutput, type Output } from "../io.js";

interface TenantFlags extends CommonFlags {
	db: string;
}

/** `label tenant create NAME`: makes a tenant and shows its key, once. */
export function createTenant(context: CommandContext, flags: TenantFlags, name: string): Promise<void> {
	return withTenants(context, flags, { create: true }, (tenants, output) => showKey(tenants.create(name), output));
}

/** `label tenant rotate-key NAME`: gives a new key; the old one is void at once. */
export function rotateKey(context: CommandContext, flags: TenantFlags, name: string): Promise<void> {
	return withTenants(context, flags, { create: false }, (tenants, output) => showKey(tenants.rotateKey(name), output));
}

/** `label tenant list`. */
export function listTenants(context: CommandContext, flags: TenantFlags): Promise<void> {
	return withTenants(context, flags, { create: false }, async (tenants, output) => {
		const all = tenants.list().map(({ created_at, ...tenant }) => ({ ...tenant, created_at: new Date(created_at).toISOString() }));
		if (output.isJson) return output.printJson(all);
		if (all.length === 0) return output.note("no tenant: label tenant create NAME makes one");
		await output.print(
			toTable(
				["id", "name", "key", "created"],
				all.map(({ id, name, has_key, created_at }) => [id, name, has_key ? "yes" : "no", created_at]),
			),
		);
	});
}

/** `label tenant remove NAME`: erases the tenant with all its end users, sessions and messages. */
export function removeTenant(context: CommandContext, flags: TenantFlags, name: string): Promise<void> {
	return withTenants(context, flags, { create: false }, async (tenants, output) => {
		const { id } = tenants.remove(name);
		if (output.isJson) return output.printJson({ id, name, removed: true });
		await output.print(`tenant ${name} is removed with everything that was its own\n`);
	});
}

async function showKey({ tenant, api_key }: TenantWithKey, output: Output): Promise<void> {
	if (output.isJson) return output.printJson({ id: tenant.id, name: tenant.name, api_key });
	await output.print(`${api_key}\n`);
	output.note(`This is the API key of tenant ${tenant.name}. It is shown this once; only its hash is stored.`);
}

async function withTenants(
	{ io }: CommandContext,
	flags: TenantFlags,
	{ create }: { create: boolean },
	work: (tenants: Tenants, output: Output) => Promise<void>,
): Promise<void> {
	const store = openStore(flags.db, { create });
	try {
		await work(createTenants({ store }), createOutput(io, flags));
	} finally {
		store.close();
	}
}
