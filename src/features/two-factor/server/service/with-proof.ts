import { hasTwoFactor } from '#features/accounts/server/pending-login.ts'
import type {
  AccountContext,
  Proof,
  RequestContext,
  WithProof,
} from '#features/accounts/server/service/confirm-password.ts'
import { withPassword } from '#features/accounts/server/service/confirm-password.ts'
import { Refusal } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { secretKey } from '#server/secrets/keys.ts'
import type { SessionUser } from '#server/session/session.ts'
import { codeMessage, normalizeCode, wrongCodeMessage } from '../../rules.ts'
import { consumeCode } from '../codes.ts'

type TwoFactorContext = AccountContext & Pick<AppContext, 'config'>

/**
 * Runs a change after checking the user's password and, where two-step verification is on, a code. Throws like `withPassword`, 400 on `code` for
 * a missing or wrong code, and 429 after too many wrong codes.
 */
export const withProof: WithProof = async <T>(
  ctx: TwoFactorContext,
  user: SessionUser,
  { currentPassword, code }: Proof,
  request: RequestContext,
  prepare: Parameters<typeof withPassword<T>>[4],
): Promise<T> => {
  if (!(await hasTwoFactor(ctx.db, user.id))) return withPassword(ctx, user, currentPassword, request, prepare)
  if (!code) return refuse('code_required', codeMessage)
  const attempt = ctx.limits.secondStep(user.id)
  await attempt.count()
  const key = secretKey(ctx.config)
  const outcome = await withPassword(ctx, user, currentPassword, request, async () => {
    const change = await prepare()
    return async (tx, before) =>
      (await consumeCode(tx, key, user.id, normalizeCode(code))) ? { result: await change(tx, before) } : undefined
  })
  if (!outcome) return refuse('wrong_code', wrongCodeMessage)
  await attempt.forgive()
  return outcome.result
}

function refuse(kind: 'code_required' | 'wrong_code', message: string): never {
  throw new Refusal(400, kind, message, { issues: [{ path: 'code', message }] })
}
