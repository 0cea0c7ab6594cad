import { eq } from 'drizzle-orm'
import type { Output } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { watching } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import type { setUnattended } from '../../admin-contract.ts'

/** Stores after how many hours without input players stop; 0: never. Does nothing if it is already stored. */
export async function saveUnattended(
  db: Db,
  after: Output<typeof setUnattended>,
  { admin, requestId }: Actor,
): Promise<Output<typeof setUnattended>> {
  await inTransaction(db, async (tx) => {
    const [before] = await tx.select({ unattendedHours: watching.unattendedHours }).from(watching).for('update')
    if (before!.unattendedHours === after.unattendedHours) return
    await tx.update(watching).set(after).where(eq(watching.id, 1))
    await audit(tx, {
      actorId: admin.id,
      action: 'watching.unattended',
      targetType: 'watching',
      targetId: 1,
      before: before!,
      after,
      requestId,
    })
    await changed(tx, 'channel_right')
  })
  return after
}
