import { eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { Refusal } from '#server/errors.ts'
import { notifyUser } from '#server/live/notify.ts'
import { currentUser, getEmailVerification } from '../../contract.ts'
import { brokenLinkMessage, emailVerifiedMessage } from '../../rules.ts'
import { holderOf, spendToken } from '../mailed-token.ts'

const broken = (): never => {
  throw new Refusal(400, 'broken_link', brokenLinkMessage)
}

/** Confirms the address a token was mailed to, once. Throws 400 in the same words for a used, late, replaced or guessed token. */
export async function confirmEmail(db: Db, token: string, requestId: string): Promise<{ message: string }> {
  const holder = (await holderOf(db, 'verify_email', token)) ?? broken()
  await inTransaction(db, async (tx) => {
    const [user] = await tx
      .select({ email: users.email })
      .from(users)
      .where(eq(users.id, holder.id))
      .for('no key update')
    if (!user || !(await spendToken(tx, 'verify_email', token))) broken()
    await tx.update(users).set({ emailVerifiedAt: sql`now()` }).where(eq(users.id, holder.id))
    await audit(tx, {
      actorId: holder.id,
      action: 'user.confirm_email',
      targetType: 'user',
      targetId: holder.id,
      after: { email: holder.email },
      requestId,
    })
    await notifyUser(tx, holder.id, [currentUser.id, getEmailVerification.id])
  })
  return { message: emailVerifiedMessage }
}
