import { eq, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { conflict, notAllowed, notFound, tooMany } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { enqueueMail, sealLink } from '#server/mail/enqueue-mail.ts'
import { secretKey } from '#server/secrets/keys.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { getEmailVerification as endpoint } from '../../contract.ts'
import { verifyFirstMessage } from '../../rules.ts'
import { drawToken, keepToken } from '../mailed-token.ts'
import type { Request } from './confirm-password.ts'

type Person = { id: number; username: string; email: string }
/** Asks a person to confirm the address they have now, in the transaction that gave it to them. */
export type Verification = (tx: Tx, user: Person) => Promise<void>

/**
 * Seals a link before the transaction that mails it to `address`. Undefined where the operator does not ask for confirmed addresses, and when
 * the mailbox got too many mails.
 */
export async function prepareVerification(
  { config, db, limits }: Pick<AppContext, 'config' | 'db' | 'limits'>,
  requestId: string,
  address: string,
): Promise<Verification | undefined> {
  const { emailVerification } = await settings.read(db, 'accounts')
  if (emailVerification === 'off' || !(await limits.mayWriteTo(address))) return undefined
  const token = drawToken()
  const dedupeKey = `verify_email:${requestId}`
  const sealed = sealLink(secretKey(config), dedupeKey, `/verify-email#token=${token}`)
  return async (tx, user) => {
    await keepToken(tx, 'verify_email', token, user)
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

/** Mails another link; the one before dies. Throws 409 when there is nothing to confirm, 429 when too many were mailed there. */
export async function createEmailVerification(
  house: Pick<AppContext, 'config' | 'db' | 'limits'>,
  user: SessionUser,
  { caller, requestId }: Request,
): Promise<{ message: string }> {
  const { mode, verified, email } = await getEmailVerification(house.db, user.id)
  if (verified || mode === 'off') conflict('nothing_to_confirm', 'There is nothing to confirm: this address is fine.')
  if (!(await house.limits.mayMail(email, caller.ip))) tooMany(3_600)
  const verify = (await prepareVerification(house, requestId, email)) ?? tooMany(3_600)
  await inTransaction(house.db, async (tx) => {
    const [current] = await tx
      .select({ id: users.id, username: users.username, email: users.email })
      .from(users)
      .where(eq(users.id, user.id))
      .for('no key update')
    if (current) await verify(tx, current)
  })
  return { message: `We sent a link to ${email}. It works for 24 hours.` }
}

/** Whether the address of a user is confirmed, and whether the operator asks for that. */
export async function getEmailVerification(db: Db, userId: number): Promise<Output<typeof endpoint>> {
  const { emailVerification: mode } = await settings.read(db, 'accounts')
  const [row] = await db
    .select({ email: users.email, verified: sql<boolean>`${users.emailVerifiedAt} is not null` })
    .from(users)
    .where(eq(users.id, userId))
  return row ? { mode, ...row } : notFound('User not found')
}

/** Throws 403 where the operator wants addresses confirmed before anything is bought, and this user's is not. */
export async function requireVerifiedEmail(db: Db, userId: number): Promise<void> {
  const { emailVerification } = await settings.read(db, 'accounts')
  if (emailVerification !== 'required') return
  const { verified } = await getEmailVerification(db, userId)
  if (!verified) notAllowed(verifyFirstMessage, 'verify_email_first')
}
