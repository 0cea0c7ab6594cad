import { createHash, randomBytes } from 'node:crypto'
import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { recoveryCodes, twoFactor } from '#server/db/tables.ts'
import { type Key, open } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import { groupedCode, isAppCode, plainCode, recoveryCodeCount } from '../rules.ts'
import { stepOf } from './totp.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Where a secret is kept: sealed for one user, it opens for no other. */
export const secretPlace = sealedColumns.twoFactorSecret.place

// Eighty random bits need no slow hash.
const hashOf = (userId: number, plain: string): Buffer => createHash('sha256').update(`${userId} ${plain}`).digest()
const drawCode = (): string => Array.from(randomBytes(16), (byte) => alphabet[byte % 32]).join('')

/** Replaces the recovery codes of a user and returns them, to be shown once. */
export async function replaceRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  const drawn = Array.from({ length: recoveryCodeCount }, drawCode)
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx.insert(recoveryCodes).values(drawn.map((code) => ({ userId, codeHash: hashOf(userId, code) })))
  return drawn.map(groupedCode)
}

/** How many recovery codes are left. */
export const codesLeft = (tx: Tx, userId: number): Promise<number> =>
  tx.$count(recoveryCodes, and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))

/**
 * Uses a code up: one of the app within a step of the database's time, or a recovery code. Says which it was, undefined for a
 * wrong one and for one that was used before: of all who try at once, one is told so. `confirmed` false asks about a secret still being set up.
 */
export async function spendCode(
  tx: Tx,
  key: Key,
  userId: number,
  typed: string,
  { confirmed = true } = {},
): Promise<'app' | 'recovery' | undefined> {
  const plain = plainCode(typed)
  const isState = confirmed ? isNotNull(twoFactor.confirmedAt) : isNull(twoFactor.confirmedAt)
  const [kept] = await tx
    .select({ secret: twoFactor.secret, now: sql<string>`extract(epoch from clock_timestamp())` })
    .from(twoFactor)
    .where(and(eq(twoFactor.userId, userId), isState))
    .for('no key update')
  if (!kept) return undefined
  if (!isAppCode(plain)) return confirmed ? spendRecoveryCode(tx, userId, plain) : undefined
  const step = stepOf(open(key, kept.secret, secretPlace(userId)), plain, Number(kept.now))
  if (step === undefined) return undefined
  const taken = await tx
    .update(twoFactor)
    .set({ lastStep: step })
    .where(and(eq(twoFactor.userId, userId), lt(twoFactor.lastStep, step)))
    .returning({ userId: twoFactor.userId })
  return taken.length === 1 ? 'app' : undefined
}

async function spendRecoveryCode(tx: Tx, userId: number, plain: string): Promise<'recovery' | undefined> {
  const used = await tx
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeHash, hashOf(userId, plain)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ userId: recoveryCodes.userId })
  return used.length === 1 ? 'recovery' : undefined
}
