import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/connect.ts'
import { apiKeys, passkeyChallenges, passkeys, recoveryCodes, twoFactor, users } from '../db/tables.ts'
import { changed } from '../live/notify.ts'

/** The credentials that an account recovery removed: the names of the passkeys and API keys, and whether a confirmed second factor was removed. */
export type RemovedCredentials = { passkeys: string[]; apiKeys: string[]; secondFactor: boolean }

/**
 * Removes every passkey of a user, revokes their API keys, and removes the second factors that match the condition `secondFactor`, with their
 * recovery codes. Account recovery does this so that no earlier credential still grants access. The caller must have locked the user's row.
 */
export async function removeCredentials(
  tx: Tx,
  userId: number,
  { secondFactor }: { secondFactor: SQL },
): Promise<RemovedCredentials> {
  const gone = await tx.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ name: passkeys.name })
  await tx.delete(passkeyChallenges).where(eq(passkeyChallenges.userId, userId))
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(apiKeys.createdBy, userId), isNull(apiKeys.revokedAt)))
    .returning({ name: apiKeys.name })
  if (revoked.length > 0) await changed(tx, 'api_key')
  const factors = await tx
    .delete(twoFactor)
    .where(and(eq(twoFactor.userId, userId), secondFactor))
    .returning({ confirmedAt: twoFactor.confirmedAt })
  if (factors.length > 0) await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  return {
    passkeys: gone.map(({ name }) => name),
    apiKeys: revoked.map(({ name }) => name),
    secondFactor: factors.some(({ confirmedAt }) => confirmedAt !== null),
  }
}

/** A secret that was never confirmed is not a second factor yet: every recovery removes it. */
export const unconfirmedFactor = sql`${twoFactor.confirmedAt} is null`
export const anyFactor = sql`true`
/**
 * The condition for the second factors that an emailed recovery link removes: those enabled less than a week ago, or all if the link is the first
 * proof that the user reads email at this address. An administrator's confirmed second factor is never removed.
 */
export const factorsEndedByMail = sql`(${unconfirmedFactor} or exists (select 1 from ${users} where ${users.id} = ${twoFactor.userId}
  and ${users.role} = 'user' and (${users.emailVerifiedAt} is null or ${twoFactor.confirmedAt} > now() - interval '7 days')))`

/** Returns the fields for the email and the audit entry; empty if nothing was removed. */
export const removedFacts = ({
  passkeys: names,
  apiKeys: keyNames,
  secondFactor,
}: RemovedCredentials): Partial<RemovedCredentials> => ({
  ...(names.length > 0 && { passkeys: names }),
  ...(keyNames.length > 0 && { apiKeys: keyNames }),
  ...(secondFactor && { secondFactor }),
})
