import { and, desc, eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { lineDrift, lineJobs, linePanel, lines, users } from '#server/db/tables.ts'
import { conflict, notFound, refuseOwn } from '#server/errors.ts'
import { notifyAdmins, notifyLines } from '#server/live/notify.ts'
import { type Key, open } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import type { LineDrift, LineDriftList } from '../../admin-contract.ts'
import { canTakeTheirs } from '../../rules.ts'
import type { Act } from '../admin-decisions.ts'
import { driftPages, linePages } from '../affected-endpoints.ts'
import { sealPassword } from '../credentials.ts'

type Row = typeof lineDrift.$inferSelect
/** Puts the panel's end into our books; the room above, which keeps subscriptions, knows how. */
export type TakeEnd = (tx: Tx, userId: number, until: string, act: Act) => Promise<void>
type Way = 'ours' | 'theirs' | 'keep'

const shownMost = 200

/** Where panel and books differed when they were last compared, newest first; without what was left as it is. */
export async function listDrift(db: Db): Promise<LineDriftList> {
  const [[panel], rows, [total]] = await Promise.all([
    db
      .select({ checkedAt: linePanel.checkedAt, askedAt: linePanel.checkAskedAt, note: linePanel.checkNote })
      .from(linePanel),
    db
      .select({ drift: lineDrift, customer: users.username })
      .from(lineDrift)
      .leftJoin(users, eq(users.id, lineDrift.userId))
      .where(eq(lineDrift.kept, false))
      .orderBy(lineDrift.kind, desc(lineDrift.id))
      .limit(shownMost),
    db
      .select({
        open: sql<number>`count(*) filter (where not kept)::int`,
        kept: sql<number>`count(*) filter (where kept)::int`,
      })
      .from(lineDrift),
  ])
  return {
    ...panel!,
    ...total!,
    rows: rows.map(({ drift, customer }): LineDrift => ({ ...drift, customer, canTakeTheirs: canTakeTheirs(drift) })),
  }
}

/**
 * Mends one difference: `ours` makes the panel as our books say, `theirs` our books as the panel says, `keep` leaves it and tells it no
 * more. Throws 404 when it is no longer listed, and 409 where books cannot be made so.
 */
export async function mendDrift(
  db: Db,
  id: number,
  way: Way,
  act: Act & { selfApproval: boolean },
  key: () => Key,
  takeEnd: TakeEnd,
): Promise<{ left: number }> {
  await inTransaction(db, async (tx) => {
    const [drift] = await tx.select().from(lineDrift).where(eq(lineDrift.id, id)).for('update')
    if (!drift) return notFound('This difference is no longer listed. Please compare again.')
    if (way === 'keep') await tx.update(lineDrift).set({ kept: true }).where(eq(lineDrift.id, id))
    else {
      if (way === 'theirs') refuseOwn(drift.userId, act, 'line')
      if (way === 'ours') await makeThemOurs(tx, drift)
      else if (!canTakeTheirs(drift))
        conflict('not_possible', 'Our books cannot be made so. Set the subscription on the customer’s page instead.')
      else if (drift.kind === 'end') await takeEnd(tx, drift.userId!, drift.theirs.until!, act)
      else await adopt(tx, drift, key)
      await tx.delete(lineDrift).where(eq(lineDrift.id, id))
    }
    await audit(tx, {
      actorId: act.admin.id,
      action: way === 'keep' ? 'line.keep' : way === 'theirs' && drift.kind === 'stray' ? 'line.adopt' : 'line.mend',
      targetType: drift.userId === null ? 'line' : 'user',
      targetId: drift.userId ?? drift.lineRef!,
      before: { line: drift.username ?? drift.lineRef, difference: drift.kind, ours: drift.ours, panel: drift.theirs },
      after: { way },
      requestId: act.requestId,
    })
    await notifyLines(tx)
    await notifyAdmins(tx, [...driftPages, ...linePages])
  })
  const { open: left } = await listDrift(db)
  return { left }
}

/** Queues the job that makes the panel as our records say. A line that is missing there is made again, with the same credentials. */
export async function makeThemOurs(tx: Tx, { id, kind, userId, lineRef }: Row): Promise<void> {
  const causeKey = `repair:${id}`
  if (kind === 'stray') return void (await tx.insert(lineJobs).values({ cause: 'stray', causeKey, lineRef }))
  if (kind === 'missing') await tx.update(lines).set({ lineRef: null, panel: null }).where(eq(lines.userId, userId!))
  await tx.insert(lines).values({ userId: userId! }).onConflictDoNothing({ target: lines.userId })
  await tx.insert(lineJobs).values({ userId, cause: 'repair', causeKey })
}

/** Gives a line of the panel to the one customer who proved to know its credentials. */
async function adopt(tx: Tx, { id, userId, lineRef, username }: Row, key: () => Key): Promise<void> {
  const [person] = await tx
    .select({ username: users.iptvUsername, password: users.iptvPassword })
    .from(users)
    .where(eq(users.id, userId!))
    .for('no key update')
  if (!person?.password || person.username !== username)
    return conflict('not_possible', 'This customer uses another account now. Please compare again.')
  const password = sealPassword(key(), userId!, open(key(), person.password, sealedColumns.iptvPassword.place(userId!)))
  const taken = { username, password, lineRef: null, panel: null }
  await tx
    .insert(lines)
    .values({ userId: userId!, ...taken })
    .onConflictDoUpdate({ target: lines.userId, set: taken })
  await tx
    .update(lineJobs)
    .set({ task: null, state: 'queued', steps: [] })
    .where(and(eq(lineJobs.userId, userId!), sql`task is not null`))
  await tx.insert(lineJobs).values({ userId, cause: 'repair', causeKey: `adopt:${id}:${lineRef}` })
}
