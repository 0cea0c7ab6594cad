import { eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { Refusal } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { brokenLinkMessage, emailVerifiedMessage } from '../../rules.ts'
import { consumeToken, findTokenHolder } from '../mailed-token.ts'

const throwBrokenLink = (): never => {
  throw new Refusal(400, 'broken_link', brokenLinkMessage)
}

/** Confirms the email address to which a token was sent. Throws 400 with the same message for a used, expired, replaced or invalid token. */
export async function confirmEmail(db: Db, token: string, requestId: string): Promise<{ message: string }> {
  const holder = (await findTokenHolder(db, 'verify_email', token)) ?? throwBrokenLink()
  await inTransaction(db, async (tx) => {
    const [user] = await tx
      .select({ email: users.email })
      .from(users)
      .where(eq(users.id, holder.id))
      .for('no key update')
    if (!user || !(await consumeToken(tx, 'verify_email', token))) throwBrokenLink()
    await tx.update(users).set({ emailVerifiedAt: sql`now()` }).where(eq(users.id, holder.id))
    await audit(tx, {
      actorId: holder.id,
      action: 'user.confirm_email',
      targetType: 'user',
      targetId: holder.id,
      after: { email: holder.email },
      requestId,
    })
    await changed(tx, 'user', { user: holder.id })
  })
  return { message: emailVerifiedMessage }
}
