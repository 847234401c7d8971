import { LabelError } from "../../errors.js";
import type { SessionRecord } from "../../services/ports.js";
import type { Sessions } from "../../services/sessions.js";
import type { StoredMessage } from "../../services/stored-label.js";
import { type RLevel, SIGNALS } from "../../types.js";
import { toTable } from "../../writers/table.js";
import { type CommandContext, DISCLAIMER } from "../command.js";
import { inert } from "../inert.js";
import { type CommonFlags, createOutput, type Output } from "../io.js";
import { openDatabase, toTimeFlag } from "../open-database.js";
import { toPlainSession } from "../plain-session.js";

interface SessionFlags extends CommonFlags {
	db: string;
	tenant: string;
}

interface ListFlags extends SessionFlags {
	level?: RLevel;
	endUser?: string;
	since?: string;
	until?: string;
	text?: string;
	order: "risk" | "recent";
	limit: string;
	cursor?: string;
}

const STYLES = { R0: "dim", "R1-mid": "yellow", "R1-high": "magenta", R2: "red" } as const;
/** Block heights for the session's risk over time, lowest first. */
const BARS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";
const MOST_LISTED = 1000;

/** `label sessions list`. */
export async function listSessions({ io }: CommandContext, flags: ListFlags): Promise<void> {
	const output = createOutput(io, flags);
	const limit = Number(flags.limit);
	if (!Number.isInteger(limit) || limit < 1 || limit > MOST_LISTED)
		throw new LabelError("usage", `--limit must be a whole number from 1 to ${MOST_LISTED}`, { param: "limit" });
	const database = openDatabase(flags.db, flags.tenant);
	try {
		const page = database.sessions.list(database.tenant.id, {
			order: flags.order,
			limit,
			r_level: flags.level,
			end_user_external_id: flags.endUser,
			since: toTimeFlag(flags.since, "since"),
			until: toTimeFlag(flags.until, "until"),
			text: flags.text,
			cursor: flags.cursor,
		});
		if (output.isJson) return await output.printJson({ ...page, data: page.data.map(toPlainSession) });
		if (page.data.length === 0) return output.note("no session");
		const rows = page.data.map((session) => [
			session.r_level,
			session.srs === null ? "-" : session.srs.toFixed(3),
			session.id,
			cut(session.external_id),
			cut(session.end_user_external_id),
			session.message_count,
			minute(session.last_message_at),
			cut(session.title ?? ""),
		]);
		await output.print(toTable(["level", "srs", "id", "session", "end user", "turns", "last message", "title"], rows));
		if (page.has_more) output.note("there are more: raise --limit, or see --json for the cursor");
		output.note(DISCLAIMER);
	} finally {
		database.close();
	}
}

/** `label sessions show`. */
export async function showSession({ io }: CommandContext, flags: SessionFlags, id: string): Promise<void> {
	const output = createOutput(io, flags);
	const { sessions, tenant, close } = openDatabase(flags.db, flags.tenant);
	try {
		const session = findSession(sessions, tenant.id, id);
		const messages = [...sessions.messages({ tenant_id: tenant.id, session_id: session.id })];
		if (output.isJson) return await output.printJson({ ...toPlainSession(session), messages: messages.map(toPlainMessage) });
		await output.print(transcript(session, messages, output));
		output.note(DISCLAIMER);
	} finally {
		close();
	}
}

/** By id where the text is a number that is one, else by external id. */
function findSession(sessions: Sessions, tenantId: number, id: string): SessionRecord {
	const byExternalId = sessions.find(tenantId, id);
	if (byExternalId !== null) return byExternalId;
	if (/^\d+$/.test(id)) {
		try {
			return sessions.get(tenantId, Number(id));
		} catch (error) {
			if (!(error instanceof LabelError) || error.code !== "not_found") throw error;
		}
	}
	throw new LabelError("not_found", "there is no session of that id; label sessions list shows those there are");
}

function toPlainMessage({ label, created_at, ...message }: StoredMessage): Record<string, unknown> {
	return { ...message, created_at: created_at === null ? null : new Date(created_at).toISOString(), ...label };
}

function transcript(session: SessionRecord, messages: readonly StoredMessage[], output: Output): string {
	const level = output.paint(["bold", STYLES[session.r_level]], session.r_level);
	const lines = [
		`${inert(session.external_id)}  ${level}  srs ${session.srs?.toFixed(3) ?? "-"}  end user ${inert(session.end_user_external_id)}  ${session.message_count} turns${session.title ? `  "${inert(session.title)}"` : ""}`,
		`risk   ${spark(messages.map(({ label }) => label.prs))}   a turn`,
		`       ${spark(messages.map(({ label }) => label.session_srs))}   the session`,
		"",
	];
	for (const message of messages) lines.push(...turnLines(message, output));
	return `${lines.join("\n")}\n`;
}

function spark(values: readonly number[]): string {
	return values.map((value) => BARS[Math.min(BARS.length - 1, Math.floor(value * BARS.length))]).join("");
}

function turnLines({ turn, role, content, label }: StoredMessage, output: Output): string[] {
	const mark = role === "user" ? output.paint(["bold", STYLES[label.r_level]], label.r_level.padEnd(7)) : "       ";
	const lines = [`${String(turn).padStart(4)} ${role.padEnd(9)} ${mark} ${content === null ? "(no content stored)" : inert(content)}`];
	if (label.r_level === "R0" || role !== "user") return lines;
	const signals = SIGNALS.filter((signal) => label.scores[signal] >= 0.25).map((signal) => `${signal} ${label.scores[signal].toFixed(2)}`);
	lines.push(
		`                       prs ${label.prs.toFixed(3)}; ${signals.join(", ") || "no signal above 0.25"}${label.coverage === "none" ? "; not read" : ""}`,
	);
	for (const { text, rule, modifiers } of label.evidence)
		lines.push(`                       "${inert(text ?? "...")}" ${rule}${modifiers.length > 0 ? ` [${modifiers.join(", ")}]` : ""}`);
	return lines;
}

function cut(text: string): string {
	const plain = inert(text);
	return plain.length > 40 ? `${plain.slice(0, 39)}\u2026` : plain;
}

function minute(time: number): string {
	return new Date(time).toISOString().slice(0, 16).replace("T", " ");
}
