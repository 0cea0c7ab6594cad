import { eq } from 'drizzle-orm'
import {
  closePendingLogin,
  countFailure,
  findPendingUserId,
  lockPendingLogin,
} from '#features/accounts/server/pending-login.ts'
import type { RequestContext } from '#features/accounts/server/service/confirm-password.ts'
import { signIn } from '#features/accounts/server/service/sign-in.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { Refusal, signInFirst } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { userView } from '#server/session/user-view.ts'
import type { confirmLogin as endpoint } from '../../contract.ts'
import { startOverMessage, wrongCodeMessage } from '../../rules.ts'
import { consumeCode, countCodesLeft } from '../codes.ts'

type CompletedLogin = Output<typeof endpoint> & { token: string }
const throwLoginExpired = (): never => signInFirst(startOverMessage, 'login_expired')

/**
 * Completes a login with a code. Each token and each code works for one login. Throws 401 `login_expired` for a used, expired or invalid token
 * and after five wrong codes, 401 `wrong_code` on `code` before that, and 429 after too many wrong codes for this user.
 */
export async function confirmLogin(
  { config, db, limits }: Pick<AppContext, 'config' | 'db' | 'limits'>,
  input: { token: string; code: string },
  request: RequestContext,
): Promise<CompletedLogin> {
  const userId = (await findPendingUserId(db, input.token)) ?? throwLoginExpired()
  const attempt = limits.secondStep(userId)
  await attempt.count()
  const key = secretKey(config)
  const { newLoginMail } = await settings.read(db, 'accounts')
  const result = await inTransaction(db, async (tx): Promise<CompletedLogin | { attemptsLeft: number }> => {
    // Lock the user's row first: a concurrent reset that ends all sessions either waits or has already deleted this login.
    const [user] = await tx.select(userView).from(users).where(eq(users.id, userId)).for('no key update')
    if (!user || !(await lockPendingLogin(tx, input.token))) return throwLoginExpired()
    const used = await consumeCode(tx, key, userId, input.code)
    if (!used) return { attemptsLeft: await countFailure(tx, input.token) }
    await closePendingLogin(tx, input.token)
    const recoveryCodesLeft = await countCodesLeft(tx, userId)
    if (used === 'recovery')
      await audit(tx, {
        actorId: userId,
        action: 'user.use_recovery_code',
        targetType: 'user',
        targetId: userId,
        after: { recoveryCodesLeft },
        requestId: request.requestId,
      })
    return { user, recoveryCodesLeft, token: await signIn(tx, user, request, { newLoginMail }) }
  })
  if ('attemptsLeft' in result) {
    if (result.attemptsLeft === 0) throwLoginExpired()
    throw new Refusal(401, 'wrong_code', wrongCodeMessage, { issues: [{ path: 'code', message: wrongCodeMessage }] })
  }
  await attempt.forgive()
  return result
}
