import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/connect.ts'
import { passkeyChallenges, passkeys, recoveryCodes, twoFactor, users } from '../db/tables.ts'

/** What a recovery took away: the names of the passkeys, and whether a second factor was in force. */
export type Removed = { passkeys: string[]; secondFactor: boolean }

/**
 * Removes every passkey of a user, and their second factor with its recovery codes where `secondFactor` holds for the user's rows.
 * For recoveries: nothing set up earlier opens the account afterwards. The user's row has to be locked.
 */
export async function removeCredentials(
  tx: Tx,
  userId: number,
  { secondFactor }: { secondFactor: SQL },
): Promise<Removed> {
  const gone = await tx.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ name: passkeys.name })
  await tx.delete(passkeyChallenges).where(eq(passkeyChallenges.userId, userId))
  const factors = await tx
    .delete(twoFactor)
    .where(and(eq(twoFactor.userId, userId), secondFactor))
    .returning({ confirmedAt: twoFactor.confirmedAt })
  if (factors.length > 0) await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  return {
    passkeys: gone.map(({ name }) => name),
    secondFactor: factors.some(({ confirmedAt }) => confirmedAt !== null),
  }
}

/** A secret that was never confirmed is no second factor yet: it ends with every recovery. */
export const unconfirmedFactor = sql`${twoFactor.confirmedAt} is null`
export const anyFactor = sql`true`
/**
 * The second factors that a mailed link removes, never an administrator's: one that was switched on less than a week ago, and any when
 * the link is the first proof that the user reads mail at this address.
 */
export const factorsEndedByMail = sql`(${unconfirmedFactor} or exists (select 1 from ${users} where ${users.id} = ${twoFactor.userId}
  and ${users.role} = 'user' and (${users.emailVerifiedAt} is null or ${twoFactor.confirmedAt} > now() - interval '7 days')))`

/** What the mail and the audit entry say of it; nothing when nothing was removed. */
export const removedFacts = ({
  passkeys: names,
  secondFactor,
}: Removed): { passkeys?: string[]; secondFactor?: boolean } => ({
  ...(names.length > 0 && { passkeys: names }),
  ...(secondFactor && { secondFactor }),
})
