import { randomInt } from 'node:crypto'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { hashOfToken } from '#server/session/devices.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { AppLogin } from '../../contract.ts'
import { addDevice } from '../add-device.ts'
import { appAddresses } from './app-addresses.ts'

/** 32 characters that are easy to distinguish on a TV. A password of 16 of them has 80 bits of entropy, so a fast hash is enough. */
const symbols = 'abcdefghijkmnpqrstuvwxyz23456789'
const randomText = (length: number): string => Array.from({ length }, () => symbols[randomInt(symbols.length)]).join('')

/** Creates the credentials of a TV app. Only the SHA-256 hash of the password is stored. Throws 409 if the customer has too many devices. */
export async function createAppLogin(
  db: Db,
  publicUrl: string,
  user: SessionUser,
  device: { name: string; country: string | null },
  requestId: string,
): Promise<AppLogin> {
  const [username, password] = [randomText(8), randomText(16)]
  const credentials = { linkName: username, linkHash: hashOfToken(password) }
  const id = await inTransaction(db, async (tx) => {
    const added = await addDevice(tx, user, { kind: 'app', agent: '', ...device, ...credentials }, requestId)
    await audit(tx, {
      actorId: user.id,
      action: 'device.link',
      targetType: 'device',
      targetId: added,
      after: { name: device.name, username },
      requestId,
    })
    return added
  })
  return { id, name: device.name, username, password, ...appAddresses(publicUrl, { username, password }) }
}
