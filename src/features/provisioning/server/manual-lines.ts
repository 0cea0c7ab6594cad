import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { lines, users } from '#server/db/tables.ts'
import { notifyUser } from '#server/live/notify.ts'
import type { Key } from '#server/secrets/keys.ts'
import type { MadeLine } from '../admin-contract.ts'
import { getOwnLine } from '../contract.ts'
import { sealPassword } from './credentials.ts'
import { giveAccount } from './job-store.ts'

/** Lines that were made by hand are numbers of no panel: one that is chosen later finds them by their credentials. */
const byHand = 'manual'

/** Keeps a line that an administrator made on the panel; from now on it is its customer's account. */
export async function keepMade(
  tx: Tx,
  key: Key,
  userId: number,
  { username, password, server }: MadeLine,
  actorId: number,
): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  const made = { panel: byHand, lineRef: username, username, password: sealPassword(key, userId, password), server }
  await tx
    .insert(lines)
    .values({ userId, ...made })
    .onConflictDoUpdate({ target: lines.userId, set: made })
  await giveAccount(tx, key, userId, true, actorId)
}

/** A line made by hand is as we wanted it, as soon as an administrator says so. */
export async function asWanted(tx: Tx, userId: number): Promise<void> {
  await tx
    .update(lines)
    .set({
      panelEnabled: lines.wantedEnabled,
      panelUntil: lines.wantedUntil,
      panelConnections: lines.wantedConnections,
      seenAt: sql`now()`,
    })
    .where(and(eq(lines.userId, userId), eq(lines.panel, byHand)))
  await notifyUser(tx, userId, [getOwnLine.id])
}
