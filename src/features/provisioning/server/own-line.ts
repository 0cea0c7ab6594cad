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
async function lineOf(db: Db, userId: number): Promise<Row | undefined> {
  const [found] = await db.select({ line: lines, approved }).from(lines).where(eq(lines.userId, userId))
  return found && (found.approved || !isTrial(found.line)) ? found.line : undefined
}
// A trial's line is its customer's only when an administrator has approved the request.
const approved = sql<boolean>`exists (select 1 from trial_requests t where t.user_id = ${lines.userId} and t.status = 'approved' and t.trial_username = ${lines.username})`
const isMade = (line: Row): boolean => line.lineRef !== null

/** A customer's own line without its password; null where the panel has none for them and none is on its way. */
export async function getOwnLine(db: Db, userId: number, isManual: boolean): Promise<OwnLine | null> {
  const line = await lineOf(db, userId)
  if (!line || (!isMade(line) && (isManual || !line.wantedEnabled))) return null
  const trial = isTrial(line)
  const shared = { trial, connections: line.wantedConnections, until: line.wantedUntil }
  if (!isMade(line)) return { ...shared, state: 'preparing', server: null, username: null }
  const state = !line.wantedEnabled ? 'paused' : line.panelEnabled ? 'ready' : 'preparing'
  return { ...shared, state, server: line.server || null, username: line.username }
}

/** The password of a customer's own line; the audit row is written first. Throws 409 where there is no line yet. */
export async function revealOwnLine(
  db: Db,
  userId: number,
  key: () => Key,
  requestId: string,
): Promise<{ password: string }> {
  const line = await lineOf(db, userId)
  if (!line?.password || !isMade(line)) return conflict('no_line', 'Your line is not ready yet.')
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
