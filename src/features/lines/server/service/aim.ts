import { eq, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Tx } from '#server/db/connect.ts'
import { lineJobs, lines } from '#server/db/tables.ts'
import { notifyAdmins, notifyLines } from '#server/notify.ts'
import { linePages } from '../pages.ts'
import { standingOf } from './standing.ts'

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
  const { graceDays } = await settings.read(tx, 'provisioning')
  const { line, wanted } = await standingOf(tx, userId, graceDays)
  // Nobody's line has to be taken away that never was.
  if (!line && !wanted.enabled) return
  const goal = { wantedEnabled: wanted.enabled, wantedUntil: wanted.until, wantedConnections: wanted.connections }
  await tx
    .insert(lines)
    .values({ userId, ...goal })
    .onConflictDoUpdate({ target: lines.userId, set: goal })
  await tx.insert(lineJobs).values({ userId, cause, causeKey: key, invoiceId }).onConflictDoNothing({ target: lineJobs.causeKey })
  await notifyLines(tx)
  await notifyAdmins(tx, linePages)
}

/** Sets until when a customer's trial runs on their line; null ends it. Whoever calls aims afterwards. */
export async function setTrial(tx: Tx, userId: number, trialUntil: string | null): Promise<void> {
  if (trialUntil === null) {
    await tx
      .update(lines)
      .set({ trialUntil: sql`least(${lines.trialUntil}, now())` })
      .where(eq(lines.userId, userId))
    return
  }
  await tx.insert(lines).values({ userId, trialUntil }).onConflictDoUpdate({ target: lines.userId, set: { trialUntil } })
}
