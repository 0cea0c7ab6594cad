import { randomBytes, randomInt } from 'node:crypto'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { deviceCodes, devices } from '#server/db/tables.ts'
import { busy, Refusal } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { hashOfToken } from '#server/session/devices.ts'
import type { DeviceCode } from '../../contract.ts'
import { codeLength, codeLetters, codeSeconds, pollSeconds, shownCode, slowDownSeconds } from '../../rules.ts'

/** The maximum number of pending codes. It keeps the chance of guessing one of them negligible. */
const maxPendingCodes = 1_000
const randomCode = (): string =>
  Array.from({ length: codeLength }, () => codeLetters[randomInt(codeLetters.length)]).join('')
const isPending = and(eq(deviceCodes.state, 'pending'), gt(deviceCodes.expiresAt, sql`now()`))

/**
 * Creates the codes for a TV. `agent` is its browser and operating system, `country` the country code of its IP address. The customer sees these
 * facts before pairing. Throws 503 if too many codes are pending.
 */
export async function createDeviceCode(
  db: Db,
  publicUrl: string,
  { agent, country }: { agent: string; country: string | null },
): Promise<DeviceCode> {
  const deviceCode = randomBytes(32).toString('base64url')
  const userCode = await inTransaction(db, async (tx) => {
    if ((await tx.$count(deviceCodes, isPending)) >= maxPendingCodes) throw busy()
    for (;;) {
      const code = randomCode()
      const values = {
        deviceHash: hashOfToken(deviceCode),
        codeHash: hashOfToken(code),
        agent,
        country,
        expiresAt: sql`now() + make_interval(secs => ${codeSeconds})`,
        pollSeconds,
      }
      const added = await tx
        .insert(deviceCodes)
        .values(values)
        .onConflictDoNothing()
        .returning({ at: deviceCodes.createdAt })
      if (added.length > 0) return code
    }
  })
  const verificationUri = `${publicUrl}/link`
  return {
    deviceCode,
    userCode: shownCode(userCode),
    verificationUri,
    verificationUriComplete: `${verificationUri}?c=${userCode}`,
    expiresIn: codeSeconds,
    interval: pollSeconds,
  }
}

const refusals = {
  authorization_pending: 'On your phone or computer, enter the code shown on your TV.',
  slow_down: 'Too many requests. Please wait longer between them.',
  access_denied: 'This TV was not paired.',
  expired_token: 'This code has expired.',
} as const
type Outcome = keyof typeof refusals | { token: string; name: string }

/** Returns the token of a paired TV, once. Otherwise throws 400 with an error code of RFC 8628. */
export async function claimDevice(db: Db, deviceCode: string): Promise<{ token: string; name: string }> {
  const outcome = await inTransaction(db, async (tx): Promise<Outcome> => {
    const isThis = eq(deviceCodes.deviceHash, hashOfToken(deviceCode))
    const [code] = await tx
      .select({
        state: deviceCodes.state,
        deviceId: deviceCodes.deviceId,
        isOver: sql<boolean>`${deviceCodes.expiresAt} <= now()`,
        isEarly: sql<boolean>`coalesce(${deviceCodes.polledAt} > now() - make_interval(secs => ${deviceCodes.pollSeconds}), false)`,
      })
      .from(deviceCodes)
      .where(isThis)
      .for('no key update')
    if (!code || code.isOver || code.state === 'used') return 'expired_token'
    if (code.state === 'denied') return 'access_denied'
    if (code.state === 'pending') {
      const slower = code.isEarly && { pollSeconds: sql`least(${deviceCodes.pollSeconds} + ${slowDownSeconds}, 60)` }
      await tx
        .update(deviceCodes)
        .set({ polledAt: sql`now()`, ...slower })
        .where(isThis)
      return code.isEarly ? 'slow_down' : 'authorization_pending'
    }
    const token = randomBytes(32).toString('base64url')
    const [device] = await tx
      .update(devices)
      .set({ tokenHash: hashOfToken(token), seenAt: sql`now()` })
      .where(and(eq(devices.id, code.deviceId!), isNull(devices.tokenHash), isNull(devices.endedAt)))
      .returning({ name: devices.name, userId: devices.userId })
    if (!device) return 'access_denied'
    await tx.update(deviceCodes).set({ state: 'used' }).where(isThis)
    await changed(tx, 'device', { user: device.userId })
    return { token, name: device.name }
  })
  if (typeof outcome !== 'string') return outcome
  throw new Refusal(400, outcome, refusals[outcome])
}
