import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { devices } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import type { SessionUser } from '#server/session/session.ts'
import { maxDevices } from '../rules.ts'

type NewDevice = {
  kind: 'tv' | 'app'
  name: string
  agent: string
  country: string | null
  linkName?: string
  linkHash?: Buffer
}

/** Adds a TV or a TV app, emails the customer, and returns the device id. Throws 409 if the customer already has `maxDevices` TVs and TV apps. */
export async function addDevice(tx: Tx, user: SessionUser, device: NewDevice, requestId: string): Promise<string> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('devices'), ${user.id})`)
  const others = await tx.$count(
    devices,
    and(eq(devices.userId, user.id), isNull(devices.endedAt), ne(devices.kind, 'browser')),
  )
  if (others >= maxDevices)
    return conflict('too_many_devices', `You can have ${maxDevices} TVs and TV apps. Remove one first.`)
  const [added] = await tx
    .insert(devices)
    .values({ userId: user.id, ...device })
    .returning({ id: devices.id })
  await enqueueMail(tx, {
    dedupeKey: `device_added:${requestId}`,
    userId: user.id,
    recipient: user.email,
    template: 'device_added',
    data: { username: user.username, name: device.name, kind: device.kind },
  })
  await changed(tx, 'device', { user: user.id })
  return added!.id
}
