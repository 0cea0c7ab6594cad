import { and, eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { lineDrift, lineJobs, lines, users } from '#server/db/tables.ts'
import { conflict, notFound, refuseOwn } from '#server/errors.ts'
import { changed, notifyLines } from '#server/live/notify.ts'
import { type KeyOrRing, open } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import { canApplyPanelState } from '../../rules.ts'
import type { Actor } from '../admin-decisions.ts'
import { sealPassword } from '../credentials.ts'
import { listDrift } from './list.ts'

type DriftRow = typeof lineDrift.$inferSelect
/** Sets a subscription's end to the panel's expiry date. The subscriptions feature implements this function. */
export type ApplyPanelExpiry = (tx: Tx, userId: number, until: string, actor: Actor) => Promise<void>
/** `ours`: apply our state to the panel. `theirs`: apply the panel's state to our records. `keep`: ignore the difference. */
type Resolution = 'ours' | 'theirs' | 'keep'

/**
 * Resolves one difference. Audited. Throws 404 if the difference is no longer listed, and 409 if the panel's state would be applied to the administrator's own
 * line or cannot be applied to our records. Returns how many differences are left.
 */
export async function resolveDrift(
  db: Db,
  id: number,
  resolution: Resolution,
  actor: Actor & { selfApproval: boolean },
  key: () => KeyOrRing,
  applyPanelExpiry: ApplyPanelExpiry,
): Promise<{ left: number }> {
  await inTransaction(db, async (tx) => {
    const [drift] = await tx.select().from(lineDrift).where(eq(lineDrift.id, id)).for('update')
    if (!drift) return notFound('This difference is no longer listed. Please compare again.')
    if (resolution === 'keep') await tx.update(lineDrift).set({ kept: true }).where(eq(lineDrift.id, id))
    else {
      if (resolution === 'theirs') refuseOwn(drift.userId, actor, 'line')
      if (resolution === 'ours') await queueRepair(tx, drift)
      else if (!canApplyPanelState(drift))
        conflict(
          'not_possible',
          'This cannot be applied to our records. Change the subscription on the customer’s page instead.',
        )
      else if (drift.kind === 'end') await applyPanelExpiry(tx, drift.userId!, drift.theirs.until!, actor)
      else await adoptOrphan(tx, drift, key)
      await tx.delete(lineDrift).where(eq(lineDrift.id, id))
    }
    await audit(tx, {
      actorId: actor.admin.id,
      action: auditAction(resolution, drift),
      targetType: drift.userId === null ? 'line' : 'user',
      targetId: drift.userId ?? drift.lineRef!,
      before: { line: drift.username ?? drift.lineRef, difference: drift.kind, ours: drift.ours, panel: drift.theirs },
      after: { way: resolution },
      requestId: actor.requestId,
    })
    await notifyLines(tx)
    await changed(tx, ['line_drift', 'line_job'])
  })
  const { open: left } = await listDrift(db)
  return { left }
}

function auditAction(resolution: Resolution, { kind }: DriftRow) {
  if (resolution === 'keep') return 'line.keep'
  return resolution === 'theirs' && kind === 'stray' ? 'line.adopt' : 'line.mend'
}

/** Queues a job that applies our state to the panel. A missing line is created again with the same credentials; an orphan line is disabled. */
export async function queueRepair(tx: Tx, { id, kind, userId, lineRef, panelId }: DriftRow): Promise<void> {
  const causeKey = `repair:${id}`
  if (kind === 'stray') return void (await tx.insert(lineJobs).values({ cause: 'stray', causeKey, lineRef, panelId }))
  if (kind === 'missing') await tx.update(lines).set({ lineRef: null, panel: null }).where(eq(lines.userId, userId!))
  await tx.insert(lines).values({ userId: userId!, panelId }).onConflictDoNothing({ target: lines.userId })
  await tx.insert(lineJobs).values({ userId, cause: 'repair', causeKey })
}

/** Assigns an orphan line to the only customer who synced its account. */
async function adoptOrphan(
  tx: Tx,
  { id, userId, lineRef, username, panelId }: DriftRow,
  key: () => KeyOrRing,
): Promise<void> {
  const [customer] = await tx
    .select({ username: users.iptvUsername, password: users.iptvPassword })
    .from(users)
    .where(eq(users.id, userId!))
    .for('no key update')
  if (!customer?.password || customer.username !== username)
    return conflict('not_possible', 'This customer uses another account now. Please compare again.')
  const synced = open(key(), customer.password, sealedColumns.iptvPassword.context(userId!))
  // The reference stays empty: the job finds the line by its credentials and then stores the reference.
  const adopted = { username, password: sealPassword(key(), userId!, synced), lineRef: null, panel: null, panelId }
  await tx
    .insert(lines)
    .values({ userId: userId!, ...adopted })
    .onConflictDoUpdate({ target: lines.userId, set: adopted })
  await tx
    .update(lineJobs)
    .set({ task: null, state: 'queued', steps: [] })
    .where(and(eq(lineJobs.userId, userId!), sql`task is not null`))
  await tx.insert(lineJobs).values({ userId, cause: 'repair', causeKey: `adopt:${id}:${lineRef}` })
}
