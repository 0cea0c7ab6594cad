import { eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import type { AppContext } from '#server/http/route.ts'
import { limits } from '#server/limits.ts'
import { enqueueMail, sealLink } from '#server/mail/enqueue-mail.ts'
import { withMinimumDuration } from '#server/overload/minimum-duration.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { resetRequestedMessage } from '../../rules.ts'
import { generateToken, storeToken } from '../mailed-token.ts'
import type { RequestContext } from './confirm-password.ts'
import { isKnownDevice } from './sign-in.ts'

/**
 * Emails a one-time link for setting a new password, valid for 15 minutes; an earlier link becomes invalid. The response and its timing are the
 * same whether or not an account has the address. Throws 429 after too many requests from this network.
 */
export async function createPasswordReset(
  ctx: Pick<AppContext, 'config' | 'db' | 'limits'>,
  typedEmail: string,
  request: RequestContext,
): Promise<{ message: string }> {
  const isAllowed = await ctx.limits.mayMail(typedEmail, request.caller.ip)
  const { minimumMs } = limits.passwordReset
  await withMinimumDuration(minimumMs, () => emailLink(ctx, typedEmail, request, isAllowed), request.caller.slot)
  return { message: resetRequestedMessage }
}

async function emailLink(
  { config, db }: Pick<AppContext, 'config' | 'db'>,
  typedEmail: string,
  { caller, requestId }: RequestContext,
  isAllowed: boolean,
): Promise<void> {
  const token = generateToken()
  const dedupeKey = `password_reset:${requestId}`
  const sealed = sealLink(secretKey(config), dedupeKey, `/reset-password#token=${token}`)
  await inTransaction(db, async (tx) => {
    const [user] = await tx
      .select({ id: users.id, username: users.username, email: users.email })
      .from(users)
      .where(eq(sql`lower(${users.email})`, typedEmail.toLowerCase()))
      .for('no key update')
    if (!user) return
    // Requests from other people must not block the owner on a known device.
    if (!isAllowed && !(await isKnownDevice(tx, user.id, caller))) return
    await storeToken(tx, 'reset_password', token, user)
    await enqueueMail(tx, {
      dedupeKey,
      userId: user.id,
      recipient: user.email,
      template: 'password_reset',
      data: { username: user.username },
      sealed,
    })
    await audit(tx, {
      actorId: null,
      action: 'user.create_password_reset',
      targetType: 'user',
      targetId: user.id,
      requestId,
    })
  })
}
