import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { lines, users } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'
import type { KeyOrRing } from '#server/secrets/keys.ts'
import type { ManualLine } from '../admin-contract.ts'
import { sealPassword } from './credentials.ts'
import { mailLineReady, syncAccountToLine } from './line-store.ts'

/** The panel id of manual lines. No panel has it, so a panel that is chosen later finds these lines by their credentials. */
export const manualPanelId = 'manual'

/** Stores a line that an administrator created in the panel, and makes it the customer's IPTV account. */
export async function saveManualLine(
  tx: Tx,
  key: KeyOrRing,
  userId: number,
  { username, password, server }: ManualLine,
  actorId: number,
): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  const line = {
    panel: manualPanelId,
    lineRef: username,
    username,
    password: sealPassword(key, userId, password),
    server,
  }
  await tx
    .insert(lines)
    .values({ userId, ...line })
    .onConflictDoUpdate({ target: lines.userId, set: line })
  await syncAccountToLine(tx, key, userId, { isNew: true, actorId })
  await mailLineReady(tx, userId)
}

/** Stores that a manual line has its desired state, which an administrator confirmed. */
export async function confirmManualLine(tx: Tx, userId: number): Promise<void> {
  await tx
    .update(lines)
    .set({
      panelEnabled: lines.wantedEnabled,
      panelUntil: lines.wantedUntil,
      panelConnections: lines.wantedConnections,
      seenAt: sql`now()`,
    })
    .where(and(eq(lines.userId, userId), eq(lines.panel, manualPanelId)))
  await changed(tx, 'line', { user: userId })
}
