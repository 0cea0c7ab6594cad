import { and, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { lines, users } from '#server/db/tables.ts'
import { open } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import type { ProvisioningConfig, WorkerContext } from '../config.ts'
import { openPassword } from '../credentials.ts'
import type { Subscriber } from '../entitlement.ts'
import type { Job } from '../job-store.ts'
import { isOnPanel, reserveCredentials } from '../line-store.ts'
import { otherCredentials } from '../moves/load-move.ts'
import type { LineCredentials, PanelFailure, PanelLine, ProvisioningPanel } from '../panels/port.ts'
import type { Target } from './load.ts'

/**
 * The state of a line on the panel. `absent`: the panel does not have the line yet. `gone`: the panel had the line before. `credentials` are those of the line,
 * or of the line to create.
 */
export type ActualLine = { kind: 'found'; line: PanelLine } | { kind: 'absent' | 'gone'; credentials: LineCredentials }
export type FetchedState = ActualLine | { kind: 'failed'; failure: PanelFailure }

/** Fetches the line that a job is about from the panel. */
export function fetchActualState(
  context: WorkerContext,
  config: ProvisioningConfig,
  { lineRef }: Job,
  { subscriber, move, isOwned }: Target,
): Promise<FetchedState> {
  if (isOwned) return Promise.resolve({ kind: 'absent', credentials: { username: '', password: '' } })
  const other = move && otherCredentials(context.key(), move)
  // The line on the target panel: this job created it there, or the move that is being undone left it there.
  if (move && other)
    return findLine(config.panel, other, move.isBack || move.otherRef ? 'gone' : 'absent', move.otherRef)
  return subscriber ? fetchLine(context, config, subscriber) : fetchOrphan(config.panel, lineRef!)
}

/** Looks for the line by its reference, by its stored credentials, by the account the customer synced, or by newly reserved credentials. */
async function fetchLine(
  { db, key }: WorkerContext,
  config: ProvisioningConfig,
  { userId, line, synced }: Subscriber,
): Promise<FetchedState> {
  const { panel } = config
  if (line?.username && line.password) {
    const stored = { username: line.username, password: openPassword(key(), userId, line.password) }
    return isOnPanel(line, config) ? findLine(panel, stored, 'gone', line.lineRef!) : findLine(panel, stored, 'absent')
  }
  // The customer may already have a line that an administrator created. Syncing its account proved that it is theirs.
  if (synced && !(await isSharedAccount(db, userId, synced.username))) {
    const password = open(key(), synced.password, sealedColumns.iptvPassword.context(userId))
    const answer = await panel.getLine({ username: synced.username, password })
    if (!answer.ok && answer.refusal !== 'not_found') return { kind: 'failed', failure: answer }
    const found = answer.ok ? answer.line : null
    if (found && !found.trial && (found.password === null || found.password === password))
      return { kind: 'found', line: { ...found, password } }
  }
  return findLine(panel, await reserveCredentials(db, key(), userId), 'absent')
}

async function findLine(
  panel: ProvisioningPanel,
  credentials: LineCredentials,
  otherwise: 'absent' | 'gone',
  lineRef: string | null = null,
): Promise<FetchedState> {
  const answer = await panel.getLine({ ...credentials, ...(lineRef !== null && { lineRef }) })
  if (!answer.ok) return { kind: 'failed', failure: answer }
  return answer.line
    ? { kind: 'found', line: { ...answer.line, password: answer.line.password ?? credentials.password } }
    : { kind: otherwise, credentials }
}

async function fetchOrphan(panel: ProvisioningPanel, lineRef: string): Promise<FetchedState> {
  const answer = await panel.getLine({ lineRef })
  if (!answer.ok) return { kind: 'failed', failure: answer }
  return answer.line
    ? { kind: 'found', line: answer.line }
    : { kind: 'gone', credentials: { username: '', password: '' } }
}

/** Whether another customer uses this account too. If so, the account does not show whose line it is. */
async function isSharedAccount(db: Db, userId: number, username: string): Promise<boolean> {
  const [other] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.iptvUsername, username), ne(users.id, userId)))
    .limit(1)
  const [line] = await db
    .select({ id: lines.id })
    .from(lines)
    .where(and(eq(sql`lower(${lines.username})`, username.toLowerCase()), ne(lines.userId, userId)))
    .limit(1)
  return other !== undefined || line !== undefined
}
