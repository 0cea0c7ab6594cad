import { and, eq, isNull, sql } from 'drizzle-orm'
import { endPlaysOfDevice } from '#features/watch/server/plays/end-play.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { devices } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { endSessionById } from '#server/session/session.ts'

type OwnedDevice = { id: string; userId: number }
/** Throws the same error for a missing device, a removed device, and a device of another customer. */
const noDevice = () => notFound('Device not found')
const isOwned = ({ id, userId }: OwnedDevice) =>
  and(eq(devices.id, id), eq(devices.userId, userId), isNull(devices.endedAt))

/** Renames a device of a customer. Throws 404. */
export async function renameDevice(
  db: Db,
  owned: OwnedDevice,
  name: string,
  requestId: string,
): Promise<{ name: string }> {
  await inTransaction(db, async (tx) => {
    const [before] = await tx.select({ name: devices.name }).from(devices).where(isOwned(owned)).for('no key update')
    if (!before) return noDevice()
    if (before.name === name) return
    await tx.update(devices).set({ name }).where(eq(devices.id, owned.id))
    await audit(tx, {
      actorId: owned.userId,
      action: 'device.rename',
      targetType: 'device',
      targetId: owned.id,
      before,
      after: { name },
      requestId,
    })
    await changed(tx, ['device', 'play'], { user: owned.userId })
  })
  return { name }
}

/** Removes a device of a customer, and ends its play and its session or credentials. Throws 404. */
export async function removeDevice(db: Db, owned: OwnedDevice, requestId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const removed = await endDevice(tx, owned)
    if (!removed) return noDevice()
    const { kind, name, sessionId } = removed
    if (sessionId !== null) await endSessionById(tx, owned.userId, sessionId)
    await audit(tx, {
      actorId: owned.userId,
      action: 'device.remove',
      targetType: 'device',
      targetId: owned.id,
      before: { kind, name },
      requestId,
    })
  })
}

/** Ends a device and its play, so that its stream stops within a second. Returns the device; undefined if it was already removed. */
export async function endDevice(tx: Tx, owned: OwnedDevice) {
  // An UPDATE would not wait for the open transactions of the device, because they lock its row FOR KEY SHARE.
  await tx.select({ id: devices.id }).from(devices).where(isOwned(owned)).for('update')
  const [ended] = await tx
    .update(devices)
    .set({ endedAt: sql`now()` })
    .where(isOwned(owned))
    .returning({ kind: devices.kind, name: devices.name, sessionId: devices.sessionId })
  if (!ended) return undefined
  await endPlaysOfDevice(tx, owned.id, 'session_over')
  await changed(tx, ['device', 'play'], { user: owned.userId })
  return ended
}

/** Returns the name of a paired TV; empty if it was just deleted. */
export async function nameOfTv(db: Db, id: string): Promise<string> {
  const [device] = await db.select({ name: devices.name }).from(devices).where(eq(devices.id, id))
  return device?.name ?? ''
}
