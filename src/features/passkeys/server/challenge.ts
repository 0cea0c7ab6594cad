import { createHash, randomBytes } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { passkeyChallenges } from '#server/db/tables.ts'

/** How long a challenge is valid, in milliseconds. */
export const challengeTimeoutMs = 300_000

const hashOf = (challenge: string): Buffer => createHash('sha256').update(challenge).digest()
const clientData = z.object({ challenge: z.string() })

/** The WebAuthn relying party. It comes from PUBLIC_URL only, never from request headers. */
export function relyingPartyOf(config: Pick<Config, 'publicUrl'>): { rpId: string; origin: string } {
  const { hostname, origin } = new URL(config.publicUrl)
  return { rpId: hostname, origin }
}

/** The WebAuthn user handle: the same for all passkeys of a user, without personal data. */
export const userHandleOf = (config: Pick<Config, 'publicUrl'>, userId: number): string =>
  createHash('sha256')
    .update(`${relyingPartyOf(config).rpId} user ${userId}`)
    .digest('base64url')

/**
 * Creates a 256-bit one-time challenge that expires after `challengeTimeoutMs` by the database clock. With a `userId`, only that user can use the
 * challenge.
 */
export async function createChallenge(db: Db, userId: number | null): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  await db.insert(passkeyChallenges).values({
    challengeHash: hashOf(challenge),
    userId,
    expiresAt: sql`now() + ${challengeTimeoutMs} * interval '1 millisecond'`,
  })
  return challenge
}

/** Consumes the challenge that a device signed and returns it; undefined if it was already used, has expired, is unknown or is another user's. */
export async function consumeChallenge(
  db: Db,
  clientDataJSON: string,
  userId: number | null,
): Promise<string | undefined> {
  const challenge = readChallenge(clientDataJSON)
  if (challenge === undefined) return undefined
  const { challengeHash, userId: owner, expiresAt } = passkeyChallenges
  const consumed = await db
    .delete(passkeyChallenges)
    .where(
      and(
        eq(challengeHash, hashOf(challenge)),
        userId === null ? isNull(owner) : eq(owner, userId),
        sql`${expiresAt} > now()`,
      ),
    )
    .returning({ owner })
  return consumed.length === 1 ? challenge : undefined
}

function readChallenge(clientDataJSON: string): string | undefined {
  try {
    return z.safeParse(clientData, JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).data?.challenge
  } catch {
    return undefined
  }
}

/** Loads the WebAuthn library on first use, because loading it takes a tenth of the start time. */
export const loadWebauthn = () => import('@simplewebauthn/server')
