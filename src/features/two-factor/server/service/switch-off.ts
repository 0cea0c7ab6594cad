import { eq } from 'drizzle-orm'
import { administratorsAccountMessage } from '#features/accounts/rules.ts'
import { type RequestContext, type AccountContext, withPassword } from '#features/accounts/server/service/confirm-password.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { twoFactor, users } from '#server/db/tables.ts'
import { conflict, notFound, Refusal } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { notifyUser } from '#server/live/notify.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { endSessionsOf, type SessionUser } from '#server/session/session.ts'
import { getTwoFactor } from '../../contract.ts'
import { wrongCodeMessage } from '../../rules.ts'
import { replaceRecoveryCodes, spendCode } from '../codes.ts'
import { tellTwoFactor } from '../two-factor-mail.ts'
import { readTwoFactor } from './set-up.ts'

type Both = { currentPassword: string; code: string }
type TwoFactorContext = AccountContext & Pick<AppContext, 'config'>

/** Switches the second step off for somebody who gives password and code. Throws like `withPassword`, 400 on `code`, 409 when it is off or an administrator needs it, 429. */
export async function cancelTwoFactor(
  ctx: TwoFactorContext,
  user: SessionUser,
  input: Both,
  request: RequestContext,
): Promise<{ message: string }> {
  if ((await readTwoFactor(ctx.db, user)).required)
    conflict('two_factor_required', 'Administrators need two-step verification here.')
  await withBoth(ctx, user, input, request, async (tx) => {
    await tx.delete(twoFactor).where(eq(twoFactor.userId, user.id))
    await tellTwoFactor(tx, user, 'off', request.requestId)
    await audit(tx, {
      actorId: user.id,
      action: 'user.cancel_two_factor',
      targetType: 'user',
      targetId: user.id,
      requestId: request.requestId,
    })
  })
  return { message: 'Two-step verification is off.' }
}

/** Draws new recovery codes; the old ones are worth nothing any more. Throws like `cancelTwoFactor`. */
export async function createRecoveryCodes(
  ctx: TwoFactorContext,
  user: SessionUser,
  input: Both,
  request: RequestContext,
): Promise<{ recoveryCodes: string[] }> {
  return withBoth(ctx, user, input, request, async (tx) => {
    const drawn = await replaceRecoveryCodes(tx, user.id)
    await audit(tx, {
      actorId: user.id,
      action: 'user.create_recovery_codes',
      targetType: 'user',
      targetId: user.id,
      requestId: request.requestId,
    })
    return { recoveryCodes: drawn }
  })
}

async function withBoth<T>(
  ctx: TwoFactorContext,
  user: SessionUser,
  { currentPassword, code }: Both,
  request: RequestContext,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const attempt = ctx.limits.secondStep(user.id)
  await attempt.count()
  const key = secretKey(ctx.config)
  const done = await withPassword(ctx, user, currentPassword, request, () => async (tx) => {
    const [row] = await tx
      .select({ confirmedAt: twoFactor.confirmedAt })
      .from(twoFactor)
      .where(eq(twoFactor.userId, user.id))
    if (!row?.confirmedAt) return conflict('two_factor_off', 'Two-step verification is off.')
    if (!(await spendCode(tx, key, user.id, code))) return undefined
    const result = await change(tx)
    await notifyUser(tx, user.id, [getTwoFactor.id])
    return { result }
  })
  if (!done)
    throw new Refusal(400, 'wrong_code', wrongCodeMessage, { issues: [{ path: 'code', message: wrongCodeMessage }] })
  await attempt.forgive()
  return done.result
}

/**
 * Switches off the second step of somebody who lost device and codes; their sessions end and they are told by mail. Whoever does
 * it (null: the operator's hand) has made sure who asked. Throws 404, 409 for one's own account and when there is nothing to switch off.
 */
export async function resetTwoFactor(
  db: Db,
  userId: number,
  admin: (Pick<SessionUser, 'id'> & { selfApproval: boolean }) | null,
  requestId: string,
): Promise<{ message: string }> {
  if (userId === admin?.id)
    conflict('own_account', 'Please switch off your own two-step verification under Account Security.')
  return inTransaction(db, async (tx) => {
    const { id, username, email, role } = users
    const [user] = await tx.select({ id, username, email, role }).from(users).where(eq(id, userId)).for('no key update')
    if (!user) return notFound('User not found')
    if (admin && user.role === 'admin' && !admin.selfApproval)
      return conflict('administrators_account', administratorsAccountMessage)
    const gone = await tx
      .delete(twoFactor)
      .where(eq(twoFactor.userId, userId))
      .returning({ confirmedAt: twoFactor.confirmedAt })
    if (!gone[0]?.confirmedAt) return conflict('two_factor_off', `${user.username} does not use two-step verification.`)
    await endSessionsOf(tx, userId)
    await tellTwoFactor(tx, user, 'reset', requestId)
    await audit(tx, {
      actorId: admin?.id ?? null,
      action: 'user.reset_two_factor',
      targetType: 'user',
      targetId: userId,
      before: { twoFactor: true },
      after: { twoFactor: false },
      requestId,
    })
    await notifyUser(tx, userId, [getTwoFactor.id])
    return { message: `${user.username} can log in with the password alone now.` }
  })
}
