import type { Db } from '#server/db/connect.ts'
import { deviceName } from '#server/session/device.ts'
import { listSessionsOf } from '#server/session/session.ts'
import type { Session } from '../../contract.ts'

/** Returns the sessions of a user, most recently used first. */
export async function listSessions(db: Db, userId: number, token: string | undefined): Promise<Session[]> {
  const rows = await listSessionsOf(db, userId, token)
  return rows.map(({ ip, userAgent, ...row }) => ({ ...row, address: ip, device: deviceName(userAgent ?? '') }))
}
