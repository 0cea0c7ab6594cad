import { createHash, randomBytes } from 'node:crypto'
import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { recoveryCodes, twoFactor } from '#server/db/tables.ts'
import { type KeyOrRing, open } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import { formatRecoveryCode, isAppCode, normalizeCode, recoveryCodeCount } from '../rules.ts'
import { timeStepOf } from './totp.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The associated data of an encrypted secret, which therefore can only be decrypted for this user. */
export const secretContext = sealedColumns.twoFactorSecret.context

// A fast hash is enough for 80 random bits.
const hashOf = (userId: number, plain: string): Buffer => createHash('sha256').update(`${userId} ${plain}`).digest()
const generateCode = (): string => Array.from(randomBytes(16), (byte) => alphabet[byte % 32]).join('')

/** Replaces a user's recovery codes and returns the new ones, to be shown once. */
export async function replaceRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, generateCode)
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hashOf(userId, code) })))
  return codes.map(formatRecoveryCode)
}

/** Returns the number of unused recovery codes. */
export const countCodesLeft = (tx: Tx, userId: number): Promise<number> =>
  tx.$count(recoveryCodes, and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))

/**
 * Consumes a code: an authenticator app's code within one time step of the database clock, or a recovery code. Returns which kind of code it was;
 * undefined for a wrong or used code. Of several concurrent calls with the same code, one succeeds. If `confirmed` is false, the code is checked
 * against a secret that is still being set up.
 */
export async function consumeCode(
  tx: Tx,
  key: KeyOrRing,
  userId: number,
  typed: string,
  { confirmed = true } = {},
): Promise<'app' | 'recovery' | undefined> {
  const plain = normalizeCode(typed)
  const isState = confirmed ? isNotNull(twoFactor.confirmedAt) : isNull(twoFactor.confirmedAt)
  const [stored] = await tx
    .select({ secret: twoFactor.secret, now: sql<string>`extract(epoch from clock_timestamp())` })
    .from(twoFactor)
    .where(and(eq(twoFactor.userId, userId), isState))
    .for('no key update')
  if (!stored) return undefined
  if (!isAppCode(plain)) return confirmed ? consumeRecoveryCode(tx, userId, plain) : undefined
  const step = timeStepOf(open(key, stored.secret, secretContext(userId)), plain, Number(stored.now))
  if (step === undefined) return undefined
  const updated = await tx
    .update(twoFactor)
    .set({ lastStep: step })
    .where(and(eq(twoFactor.userId, userId), lt(twoFactor.lastStep, step)))
    .returning({ userId: twoFactor.userId })
  return updated.length === 1 ? 'app' : undefined
}

async function consumeRecoveryCode(tx: Tx, userId: number, plain: string): Promise<'recovery' | undefined> {
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
