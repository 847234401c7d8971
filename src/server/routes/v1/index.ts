import type { Route } from "../../route.js";
import { appendMessage } from "./append-message.js";
import { createSession } from "./create-session.js";
import { getSession } from "./get-session.js";
import { listSessions } from "./list-sessions.js";

/** All routes under `/api/v1`. */
export const ROUTES: readonly Route[] = [createSession, listSessions, getSession, appendMessage];
