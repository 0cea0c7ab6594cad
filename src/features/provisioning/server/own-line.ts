import { and, eq, isNull, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { lines } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { KeyOrRing } from '#server/secrets/keys.ts'
import type { OwnLine } from '../contract.ts'
import { mainPanelId } from '../panel-rules.ts'
import { openPassword } from './credentials.ts'

type Row = typeof lines.$inferSelect

const isTrial = ({ trialUntil, wantedUntil }: Row): boolean =>
  trialUntil !== null && wantedUntil !== null && Date.parse(trialUntil) === Date.parse(wantedUntil)
// The customer sees a trial line only after an administrator approved the request.
const approved = sql<boolean>`exists (select 1 from trial_requests t where t.user_id = ${lines.userId} and t.status = 'approved' and t.trial_username = ${lines.username})`
const lineOfUser = statement('line_of_user', (db, { userId }: Params<{ userId: number }>) =>
  db.select({ line: lines, approved }).from(lines).where(eq(lines.userId, userId)),
)
/** The customer's line; undefined if there is none or if it is for a trial that is not approved. */
export async function findLine(db: Db, userId: number): Promise<Row | undefined> {
  const [found] = await lineOfUser(db, { userId })
  return found && (found.approved || !isTrial(found.line)) ? found.line : undefined
}
/** Whether the customer may use the line: a trial line only after an administrator approved the request. */
export const isLineOfCustomer = sql<boolean>`(${lines.trialUntil} is null or ${lines.wantedUntil} is distinct from ${lines.trialUntil} or ${approved})`
export const isCreated = (line: Row): boolean => line.lineRef !== null
/** Whether the panel of a line supports Xtream logins. */
export const isXtream = ({ panel }: Pick<Row, 'panel'>): boolean => panel?.split(' ')[0] !== 'ministra'

/**
 * A customer's own line without its password; null when they have none and are entitled to none. A line without credentials is returned with
 * the progress of its creation. `isManual`: administrators create the lines of the main panel.
 */
export async function getOwnLine(db: Db, userId: number, isManual: boolean): Promise<OwnLine | null> {
  const line = await findLine(db, userId)
  if (!line || (!isCreated(line) && !line.wantedEnabled)) return null
  const shared = {
    trial: isTrial(line),
    connections: line.wantedConnections,
    until: line.wantedUntil,
    used: line.usedAt !== null || Date.now() - Date.parse(line.createdAt) > guidedMs,
    xtream: isXtream(line),
    linkUntil: line.linkExpiresAt !== null && Date.parse(line.linkExpiresAt) > Date.now() ? line.linkExpiresAt : null,
  }
  if (!isCreated(line)) {
    const { needsAdministrator, ...progress } = await readProgress(db, userId)
    return {
      ...shared,
      state: (isManual && line.panelId === mainPanelId) || needsAdministrator ? 'manual' : 'preparing',
      server: null,
      username: null,
      progress,
      createdInSeconds: null,
    }
  }
  const createdInSeconds = shared.used ? null : await readCreationTime(db, userId)
  const state = !line.wantedEnabled ? 'paused' : line.panelEnabled ? 'ready' : 'preparing'
  return { ...shared, state, server: line.server || null, username: line.username, progress: null, createdInSeconds }
}

const guidedMs = 30 * 86_400_000

type Progress = NonNullable<OwnLine['progress']> & { needsAdministrator: boolean }
/** The oldest open job of the customer's line, how many tasks of other customers are older, and how long recent purchases waited. */
async function readProgress(db: Db, userId: number): Promise<Progress> {
  const { rows } = await db.execute<Omit<Progress, 'since'> & { since: Date | string }>(sql`
    SELECT j.created_at AS since, j.task IS NOT NULL AS "needsAdministrator",
      (SELECT nullif(count(*), 100)::int FROM (
        SELECT FROM line_jobs o WHERE o.task IS NOT NULL AND o.id < j.id AND o.user_id <> j.user_id LIMIT 100) older) AS ahead,
      (SELECT ceil(percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM finished_at - created_at)) / 60)::int FROM (
        SELECT created_at, finished_at FROM (SELECT * FROM line_jobs WHERE state = 'done' ORDER BY id DESC LIMIT 200) latest
        WHERE cause = 'purchase' AND finished_at IS NOT NULL ORDER BY id DESC LIMIT 20) waits) AS "typicalMinutes"
    FROM line_jobs j WHERE j.user_id = ${userId} AND j.state <> 'done' ORDER BY j.id LIMIT 1`)
  const found = rows[0]
  if (!found) return { since: null, ahead: null, typicalMinutes: null, needsAdministrator: true }
  return { ...found, since: new Date(found.since).toISOString() }
}

/** How many seconds the first finished job of the customer's line took; null if none is finished. */
async function readCreationTime(db: Db, userId: number): Promise<number | null> {
  const { rows } = await db.execute<{ seconds: number | null }>(sql`
    SELECT ceil(extract(epoch FROM finished_at - created_at))::int AS seconds FROM line_jobs
    WHERE user_id = ${userId} AND state = 'done' ORDER BY id LIMIT 1`)
  return rows[0]?.seconds ?? null
}

/** Ends the guided setup of the customer's line. Repeating it changes nothing. */
export async function markLineUsed(db: Db, userId: number): Promise<{ used: true }> {
  await inTransaction(db, async (tx) => {
    const marked = await tx
      .update(lines)
      .set({ usedAt: sql`now()` })
      .where(and(eq(lines.userId, userId), isNull(lines.usedAt)))
      .returning({ id: lines.id })
    if (marked.length > 0) await changed(tx, 'line', { user: userId })
  })
  return { used: true }
}

/** Returns the password of a customer's own line. Writes an audit entry first. Throws 409 when there is no line yet. */
export async function revealOwnLine(
  db: Db,
  userId: number,
  key: () => KeyOrRing,
  requestId: string,
): Promise<{ password: string }> {
  const line = await findLine(db, userId)
  if (!line?.password || !isCreated(line)) return conflict('no_line', 'Your line is not ready yet.')
  const password = openPassword(key(), userId, line.password)
  await audit(db, {
    actorId: userId,
    action: 'line.reveal',
    targetType: 'user',
    targetId: userId,
    after: { username: line.username },
    requestId,
  })
  return { password }
}
