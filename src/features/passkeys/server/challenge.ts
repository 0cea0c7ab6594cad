import { createHash, randomBytes } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { passkeyChallenges } from '#server/db/tables.ts'

/** How long a device may take to sign, in milliseconds. */
export const patienceMs = 300_000

const hashOf = (challenge: string): Buffer => createHash('sha256').update(challenge).digest()
const clientData = z.object({ challenge: z.string() })

/** The site as WebAuthn knows it, from PUBLIC_URL alone: no header has a say. */
export function siteOf(config: Pick<Config, 'publicUrl'>): { rpId: string; origin: string } {
  const { hostname, origin } = new URL(config.publicUrl)
  return { rpId: hostname, origin }
}

/** What WebAuthn calls a user: the same for all their passkeys, and nothing that tells who it is. */
export const handleOf = (config: Pick<Config, 'publicUrl'>, userId: number): string =>
  createHash('sha256')
    .update(`${siteOf(config).rpId} user ${userId}`)
    .digest('base64url')

/** Draws 256 bits to be signed once, within five minutes of the database's clock; by one user only when one is named. */
export async function drawChallenge(db: Db, userId: number | null): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  await db.insert(passkeyChallenges).values({
    challengeHash: hashOf(challenge),
    userId,
    expiresAt: sql`now() + ${patienceMs} * interval '1 millisecond'`,
  })
  return challenge
}

/** Uses up the challenge that a device says it signed. Undefined for one that is used, late, somebody else's or not ours. */
export async function spendChallenge(
  db: Db,
  clientDataJSON: string,
  userId: number | null,
): Promise<string | undefined> {
  const challenge = challengeIn(clientDataJSON)
  if (challenge === undefined) return undefined
  const { challengeHash, userId: owner, expiresAt } = passkeyChallenges
  const spent = await db
    .delete(passkeyChallenges)
    .where(
      and(
        eq(challengeHash, hashOf(challenge)),
        userId === null ? isNull(owner) : eq(owner, userId),
        sql`${expiresAt} > now()`,
      ),
    )
    .returning({ owner })
  return spent.length === 1 ? challenge : undefined
}

function challengeIn(clientDataJSON: string): string | undefined {
  try {
    return z.safeParse(clientData, JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).data?.challenge
  } catch {
    return undefined
  }
}

/** Reads what devices sign. Loaded for whoever first needs it: it is a tenth of a start. */
export const webauthn = () => import('@simplewebauthn/server')
