import { and, eq, gt, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { deviceCodes } from '#server/db/tables.ts'
import { invalid } from '#server/errors.ts'
import type { RateLimits } from '#server/overload/rate-limit.ts'
import { hashOfToken } from '#server/session/devices.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { PairingTv } from '../../contract.ts'
import { wrongCodeMessage } from '../../rules.ts'
import { addDevice } from '../add-device.ts'

type Context = { db: Db; limits: RateLimits; user: SessionUser; ip: string }
const wrongCode = () => invalid('userCode', wrongCodeMessage, 'wrong_code')
const isOpen = (userCode: string) =>
  and(
    eq(deviceCodes.codeHash, hashOfToken(userCode)),
    eq(deviceCodes.state, 'pending'),
    gt(deviceCodes.expiresAt, sql`now()`),
  )

/** Returns the TV that shows a code. Throws 400 on `userCode` if the code is wrong or has expired, and 429 after too many wrong codes. */
export async function lookUpCode({ db, limits, user, ip }: Context, userCode: string): Promise<PairingTv> {
  const attempt = limits.pairingCode(user.id, ip)
  await attempt.count()
  const [tv] = await db
    .select({ agent: deviceCodes.agent, country: deviceCodes.country, createdAt: deviceCodes.createdAt })
    .from(deviceCodes)
    .where(isOpen(userCode))
  if (!tv) return wrongCode()
  await attempt.forgive()
  return tv
}

/**
 * Pairs the TV that shows a code with the customer, or refuses it. Throws 400 on `userCode` if the code is wrong, has expired or was already accepted
 * or refused, 429 after too many such codes, and 409 if the customer has too many devices.
 */
export async function decideCode(
  { db, limits, user, ip }: Context,
  { userCode, allow, name }: { userCode: string; allow: boolean; name: string },
  requestId: string,
): Promise<{ name: string }> {
  const attempt = limits.pairingCode(user.id, ip)
  await attempt.count()
  await inTransaction(db, async (tx) => {
    const [tv] = await tx
      .select({ agent: deviceCodes.agent, country: deviceCodes.country })
      .from(deviceCodes)
      .where(isOpen(userCode))
      .for('no key update')
    if (!tv) return wrongCode()
    const deviceId = allow ? await addDevice(tx, user, { kind: 'tv', name, ...tv }, requestId) : null
    await tx
      .update(deviceCodes)
      .set({ state: allow ? 'allowed' : 'denied', deviceId })
      .where(isOpen(userCode))
    if (allow)
      await audit(tx, {
        actorId: user.id,
        action: 'device.pair',
        targetType: 'device',
        targetId: deviceId!,
        after: { name, ...tv },
        requestId,
      })
  })
  await attempt.forgive()
  return { name }
}
