import { eq } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { conflict, notAllowed, tooMany } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { enqueueMail, sealLink } from '#server/mail/enqueue-mail.ts'
import { secretKey } from '#server/secrets/keys.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { getEmailVerification as endpoint } from '../../contract.ts'
import { verifyFirstMessage } from '../../rules.ts'
import { generateToken, storeToken } from '../mailed-token.ts'
import type { RequestContext } from './confirm-password.ts'

type Recipient = { id: number; username: string; email: string }
/** Stores and emails a verification link, in the transaction that sets the email address. */
export type Verification = (tx: Tx, user: Recipient) => Promise<void>

/**
 * Encrypts a verification link before the transaction that emails it to `address`. Returns undefined if the operator turned verification off or the
 * mailbox has received too many emails.
 */
export async function prepareVerification(
  { config, db, limits }: Pick<AppContext, 'config' | 'db' | 'limits'>,
  requestId: string,
  address: string,
): Promise<Verification | undefined> {
  const { emailVerification } = await settings.read(db, 'accounts')
  if (emailVerification === 'off' || !(await limits.mayWriteTo(address))) return undefined
  const token = generateToken()
  const dedupeKey = `verify_email:${requestId}`
  const sealed = sealLink(secretKey(config), dedupeKey, `/verify-email#token=${token}`)
  return async (tx, user) => {
    await storeToken(tx, 'verify_email', token, user)
    await enqueueMail(tx, {
      dedupeKey,
      userId: user.id,
      recipient: user.email,
      template: 'verify_email',
      data: { username: user.username },
      sealed,
    })
  }
}

/**
 * Emails a new verification link; the previous link becomes invalid. Throws 409 if there is nothing to confirm, and 429 if the mailbox has received
 * too many emails.
 */
export async function createEmailVerification(
  ctx: Pick<AppContext, 'config' | 'db' | 'limits'>,
  user: SessionUser,
  { caller, requestId }: RequestContext,
): Promise<{ message: string }> {
  const { mode, verified, email } = await getEmailVerification(ctx.db, user)
  if (verified || mode === 'off') conflict('nothing_to_confirm', 'This email address does not need to be confirmed.')
  if (!(await ctx.limits.mayMail(email, caller.ip))) tooMany(3_600)
  const verify = (await prepareVerification(ctx, requestId, email)) ?? tooMany(3_600)
  await inTransaction(ctx.db, async (tx) => {
    const [current] = await tx
      .select({ id: users.id, username: users.username, email: users.email })
      .from(users)
      .where(eq(users.id, user.id))
      .for('no key update')
    if (current) await verify(tx, current)
  })
  return { message: `We sent a link to ${email}. It works for 24 hours.` }
}

/** Returns whether a user's email address is confirmed, and the operator's setting for verification. */
export async function getEmailVerification(
  db: Db,
  { email, emailVerified }: Pick<SessionUser, 'email' | 'emailVerified'>,
): Promise<Output<typeof endpoint>> {
  const { emailVerification: mode } = await settings.read(db, 'accounts')
  return { mode, email, verified: emailVerified }
}

/** Throws 403 when the operator requires a confirmed address before a purchase and this user's address is not confirmed. */
export async function requireVerifiedEmail(db: Db, user: Pick<SessionUser, 'emailVerified'>): Promise<void> {
  const { emailVerification } = await settings.read(db, 'accounts')
  if (emailVerification === 'required' && !user.emailVerified) notAllowed(verifyFirstMessage, 'verify_email_first')
}
