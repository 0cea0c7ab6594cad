import { eq } from 'drizzle-orm'
import { administratorsAccountMessage } from '#features/accounts/rules.ts'
import {
  type AccountContext,
  type RequestContext,
  withPassword,
} from '#features/accounts/server/service/confirm-password.ts'
import { refuseStaffAccount } from '#features/accounts/server/service/lock-user-and-admin.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { twoFactor, users } from '#server/db/tables.ts'
import { conflict, notFound, Refusal } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { changed } from '#server/live/notify.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { endSessionsOf, type SessionUser } from '#server/session/session.ts'
import { wrongCodeMessage } from '../../rules.ts'
import { consumeCode, replaceRecoveryCodes } from '../codes.ts'
import { emailTwoFactorChange } from '../two-factor-mail.ts'
import { readTwoFactor } from './set-up.ts'

type PasswordAndCode = { currentPassword: string; code: string }
type TwoFactorContext = AccountContext & Pick<AppContext, 'config'>

/**
 * Turns two-step verification off after checking the password and a code. Throws like `withPassword`, 400 on `code` for a wrong code, 409 if
 * two-step verification is off or required of administrators, and 429 after too many wrong codes.
 */
export async function cancelTwoFactor(
  ctx: TwoFactorContext,
  user: SessionUser,
  input: PasswordAndCode,
  request: RequestContext,
): Promise<{ message: string }> {
  if ((await readTwoFactor(ctx.db, user)).required)
    conflict('two_factor_required', 'Administrators must use two-step verification.')
  await withPasswordAndCode(ctx, user, input, request, async (tx) => {
    await tx.delete(twoFactor).where(eq(twoFactor.userId, user.id))
    await emailTwoFactorChange(tx, user, 'off', request.requestId)
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

/** Replaces the recovery codes; the old ones stop working. Throws like `cancelTwoFactor`. */
export async function createRecoveryCodes(
  ctx: TwoFactorContext,
  user: SessionUser,
  input: PasswordAndCode,
  request: RequestContext,
): Promise<{ recoveryCodes: string[] }> {
  return withPasswordAndCode(ctx, user, input, request, async (tx) => {
    const codes = await replaceRecoveryCodes(tx, user.id)
    await audit(tx, {
      actorId: user.id,
      action: 'user.create_recovery_codes',
      targetType: 'user',
      targetId: user.id,
      requestId: request.requestId,
    })
    return { recoveryCodes: codes }
  })
}

async function withPasswordAndCode<T>(
  ctx: TwoFactorContext,
  user: SessionUser,
  { currentPassword, code }: PasswordAndCode,
  request: RequestContext,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const attempt = ctx.limits.secondStep(user.id)
  await attempt.count()
  const key = secretKey(ctx.config)
  const outcome = await withPassword(ctx, user, currentPassword, request, () => async (tx) => {
    const [row] = await tx
      .select({ confirmedAt: twoFactor.confirmedAt })
      .from(twoFactor)
      .where(eq(twoFactor.userId, user.id))
    if (!row?.confirmedAt) return conflict('two_factor_off', 'Two-step verification is off.')
    if (!(await consumeCode(tx, key, user.id, code))) return undefined
    const result = await change(tx)
    await changed(tx, 'two_factor', { user: user.id })
    return { result }
  })
  if (!outcome)
    throw new Refusal(400, 'wrong_code', wrongCodeMessage, { issues: [{ path: 'code', message: wrongCodeMessage }] })
  await attempt.forgive()
  return outcome.result
}

/**
 * Turns off two-step verification for a user who lost their device and recovery codes. Ends the user's sessions and emails the user. The actor
 * (null: the command line) must have verified the user's identity. Throws 404, 403 for a staff member unless the actor is an owner, and 409 for the
 * actor's own account, for another administrator's account without `selfApproval`, and when two-step verification is off.
 */
export async function resetTwoFactor(
  db: Db,
  userId: number,
  admin: (SessionUser & { selfApproval: boolean }) | null,
  requestId: string,
): Promise<{ message: string }> {
  if (userId === admin?.id)
    conflict('own_account', 'Please turn off your own two-step verification under Account Security.')
  return inTransaction(db, async (tx) => {
    const { id, username, email, role } = users
    const [user] = await tx.select({ id, username, email, role }).from(users).where(eq(id, userId)).for('no key update')
    if (!user) return notFound('User not found')
    if (admin) refuseStaffAccount(user, { admin })
    if (admin && user.role === 'admin' && !admin.selfApproval)
      return conflict('administrators_account', administratorsAccountMessage)
    const deleted = await tx
      .delete(twoFactor)
      .where(eq(twoFactor.userId, userId))
      .returning({ confirmedAt: twoFactor.confirmedAt })
    if (!deleted[0]?.confirmedAt)
      return conflict('two_factor_off', `${user.username} does not use two-step verification.`)
    await endSessionsOf(tx, userId)
    await emailTwoFactorChange(tx, user, 'reset', requestId)
    await audit(tx, {
      actorId: admin?.id ?? null,
      action: 'user.reset_two_factor',
      targetType: 'user',
      targetId: userId,
      before: { twoFactor: true },
      after: { twoFactor: false },
      requestId,
    })
    await changed(tx, 'two_factor', { user: userId })
    return { message: `${user.username} can now log in with the password alone.` }
  })
}
