import { eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { lines } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import type { Key } from '#server/secrets/keys.ts'
import type { OwnLine } from '../contract.ts'
import { openPassword } from './credentials.ts'

type Row = typeof lines.$inferSelect

const isTrial = ({ trialUntil, wantedUntil }: Row): boolean =>
  trialUntil !== null && wantedUntil !== null && Date.parse(trialUntil) === Date.parse(wantedUntil)
async function findLine(db: Db, userId: number): Promise<Row | undefined> {
  const [found] = await db.select({ line: lines, approved }).from(lines).where(eq(lines.userId, userId))
  return found && (found.approved || !isTrial(found.line)) ? found.line : undefined
}
// The customer sees a trial line only after an administrator approved the request.
const approved = sql<boolean>`exists (select 1 from trial_requests t where t.user_id = ${lines.userId} and t.status = 'approved' and t.trial_username = ${lines.username})`
const isCreated = (line: Row): boolean => line.lineRef !== null

/** A customer's own line without its password; null when they have none and none is being created. */
export async function getOwnLine(db: Db, userId: number, isManual: boolean): Promise<OwnLine | null> {
  const line = await findLine(db, userId)
  if (!line || (!isCreated(line) && (isManual || !line.wantedEnabled))) return null
  const trial = isTrial(line)
  const shared = { trial, connections: line.wantedConnections, until: line.wantedUntil }
  if (!isCreated(line)) return { ...shared, state: 'preparing', server: null, username: null }
  const state = !line.wantedEnabled ? 'paused' : line.panelEnabled ? 'ready' : 'preparing'
  return { ...shared, state, server: line.server || null, username: line.username }
}

/** The password of a customer's own line. Writes an audit entry before it returns. Throws 409 when there is no line yet. */
export async function revealOwnLine(
  db: Db,
  userId: number,
  key: () => Key,
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
