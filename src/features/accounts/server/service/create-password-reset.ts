import { eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import type { AppContext } from '#server/http/route.ts'
import { enqueueMail, sealLink } from '#server/mail/enqueue-mail.ts'
import { withMinimumDuration } from '#server/overload/minimum-duration.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { resetAskedMessage } from '../../rules.ts'
import { drawToken, keepToken } from '../mailed-token.ts'
import type { Request } from './confirm-password.ts'
import { isKnownPlace } from './sign-in.ts'

// Longer than the work takes, with a mail to send or without.
const leastMs = 400

/**
 * Mails a link that sets a new password once, within 15 minutes; an earlier one dies. The answer and its time are the same
 * whether or not somebody has the address. Throws 429 when this network asks too often for it.
 */
export async function createPasswordReset(
  house: Pick<AppContext, 'config' | 'db' | 'limits'>,
  typedEmail: string,
  request: Request,
): Promise<{ message: string }> {
  const isAllowed = await house.limits.mayMail(typedEmail, request.caller.ip)
  await withMinimumDuration(leastMs, () => mailLink(house, typedEmail, request, isAllowed), request.caller.slot)
  return { message: resetAskedMessage }
}

async function mailLink(
  { config, db }: Pick<AppContext, 'config' | 'db'>,
  typedEmail: string,
  { caller, requestId }: Request,
  isAllowed: boolean,
): Promise<void> {
  const token = drawToken()
  const dedupeKey = `password_reset:${requestId}`
  const sealed = sealLink(secretKey(config), dedupeKey, `/reset-password#token=${token}`)
  await inTransaction(db, async (tx) => {
    const [user] = await tx
      .select({ id: users.id, username: users.username, email: users.email })
      .from(users)
      .where(eq(sql`lower(${users.email})`, typedEmail.toLowerCase()))
      .for('no key update')
    if (!user) return
    // Requests of others do not keep the owner out at home.
    if (!isAllowed && !(await isKnownPlace(tx, user.id, caller))) return
    await keepToken(tx, 'reset_password', token, user)
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
