import { and, eq, isNotNull, lte, or, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { linePanel } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'
import { backoffMinutes } from '../../rules.ts'

const expiry = sql`now() + make_interval(secs => ${limits.lines.leaseSeconds})`

/** Acquires the lease that allows only one process at a time to call a panel. Returns false while another process holds it, or during a back-off. */
export async function acquireLease(db: Db, panelId: number, holder: string): Promise<boolean> {
  const isFree = or(lte(linePanel.heldUntil, sql`now()`), eq(linePanel.holder, holder))
  const taken = await db
    .update(linePanel)
    .set({ holder, heldUntil: expiry })
    .where(and(eq(linePanel.id, panelId), isFree, lte(linePanel.restUntil, sql`now()`)))
    .returning({ id: linePanel.id })
  return taken.length > 0
}

/** Extends the lease. Returns false if it expired and another process acquired it. */
export async function renewLease(db: Db, holder: string): Promise<boolean> {
  const renewed = await db
    .update(linePanel)
    .set({ heldUntil: expiry })
    .where(eq(linePanel.holder, holder))
    .returning({ id: linePanel.id })
  return renewed.length > 0
}

/** Releases the lease. */
export async function releaseLease(db: Db, holder: string): Promise<void> {
  await db.update(linePanel).set({ holder: null, heldUntil: sql`now()` }).where(eq(linePanel.holder, holder))
}

/** Starts a back-off after a failed call: no process calls the panel for a while. `message` is shown to administrators. */
export async function backOff(db: Db, holder: string, message: string): Promise<void> {
  const [row] = await db.select({ failures: linePanel.failures }).from(linePanel).where(eq(linePanel.holder, holder))
  if (!row) return
  await db
    .update(linePanel)
    .set({
      failures: sql`${linePanel.failures} + 1`,
      restUntil: sql`now() + make_interval(mins => ${backoffMinutes(row.failures + 1)})`,
      downSince: sql`coalesce(${linePanel.downSince}, now())`,
      lastFailure: message,
    })
    .where(eq(linePanel.holder, holder))
  await changed(db, 'line_job')
}

/** Ends the back-off after a successful call: the panel no longer counts as down. */
export async function resetBackOff(db: Db, panelId: number): Promise<void> {
  const recovered = await db
    .update(linePanel)
    .set({ failures: 0, downSince: null, lastFailure: null })
    .where(and(eq(linePanel.id, panelId), isNotNull(linePanel.downSince)))
    .returning({ id: linePanel.id })
  if (recovered.length > 0) await changed(db, 'line_job')
}

/** Shows administrators that the panel's stored key cannot be decrypted, which is why line jobs wait. */
export async function reportUnusablePanel(db: Db, panelId: number): Promise<void> {
  const lastFailure =
    'The panel’s key cannot be decrypted with this installation’s key. Enter it again under Settings, Provisioning.'
  await db
    .update(linePanel)
    .set({ downSince: sql`coalesce(${linePanel.downSince}, now())`, lastFailure })
    .where(eq(linePanel.id, panelId))
  await changed(db, 'line_job')
}
