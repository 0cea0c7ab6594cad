import { eq, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { lineJobs, lines, users } from '#server/db/tables.ts'
import { notifyAdmins, notifyLines } from '#server/live/notify.ts'
import { type Wanted, wantedLine } from '../rules.ts'
import { linePages } from './affected-endpoints.ts'
import { wantedBy } from './entitlement.ts'

export type Cause = {
  cause: (typeof lineJobs.$inferInsert)['cause']
  /** The same cause is noted once. */
  key: string
  invoiceId?: number | undefined
}

/**
 * Notes, in the transaction that causes it, that a customer's line has to be looked at, and what it should become. The worker reads
 * the subscription again when it calls the panel, so order and repeats of causes do no harm. Without anything to do nothing is written.
 */
export async function aim(tx: Tx, userId: number, { cause, key, invoiceId }: Cause): Promise<void> {
  const [standing] = await standingOf(tx, { userId })
  const { now, hasLine, provisioning, ...rest } = standing!
  const wanted = wantedLine(rest, now, settings.meaningOf('provisioning', provisioning).graceDays)
  // Nobody's line has to be taken away that never was.
  if (!hasLine && !wanted.enabled) return
  await noteGoal(tx, {
    userId,
    enabled: wanted.enabled,
    until: wanted.until,
    connections: wanted.connections,
    cause,
    key,
    invoiceId: invoiceId ?? null,
  })
  await notifyLines(tx)
  await notifyAdmins(tx, linePages)
}

const standingOf = statement('line_standing', (tx, { userId }: Params<{ userId: number }>) =>
  tx
    .select({
      ...wantedBy,
      trialUntil: lines.trialUntil,
      hasLine: sql<boolean>`${lines.id} is not null`,
      provisioning: settings.storedValue('provisioning'),
    })
    .from(users)
    .leftJoin(lines, eq(lines.userId, users.id))
    .where(eq(users.id, userId)),
)

type Goal = Pick<Wanted, 'enabled' | 'until' | 'connections'> &
  Pick<Cause, 'cause' | 'key'> & { userId: number; invoiceId: number | null }
/** What the line should become, and a job that looks at it. */
const noteGoal = statement('line_goal', (db: Db | Tx, given: Params<Goal>) => {
  const aimed = db.$with('aimed').as(
    db
      .insert(lines)
      .values({
        userId: given.userId,
        wantedEnabled: given.enabled,
        wantedUntil: given.until,
        wantedConnections: given.connections,
      })
      .onConflictDoUpdate({
        target: lines.userId,
        set: {
          wantedEnabled: sql`excluded.wanted_enabled`,
          wantedUntil: sql`excluded.wanted_until`,
          wantedConnections: sql`excluded.wanted_connections`,
        },
      }),
  )
  return db
    .with(aimed)
    .insert(lineJobs)
    .values({ userId: given.userId, cause: given.cause, causeKey: given.key, invoiceId: given.invoiceId })
    .onConflictDoNothing({ target: lineJobs.causeKey })
})

/** Sets until when a customer's trial runs on their line; null ends it. Whoever calls aims afterwards. */
export async function setTrial(tx: Tx, userId: number, trialUntil: string | null): Promise<void> {
  if (trialUntil === null) {
    await tx
      .update(lines)
      .set({ trialUntil: sql`least(${lines.trialUntil}, now())` })
      .where(eq(lines.userId, userId))
    return
  }
  await tx
    .insert(lines)
    .values({ userId, trialUntil })
    .onConflictDoUpdate({ target: lines.userId, set: { trialUntil } })
}
