import { and, eq, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { User } from '#features/accounts/contract.ts'
import type { RequestContext } from '#features/accounts/server/service/confirm-password.ts'
import { signIn } from '#features/accounts/server/service/sign-in.ts'
import { userView } from '#features/accounts/server/user-view.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { passkeys, users } from '#server/db/tables.ts'
import { signInFirst } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import type { assertion, createPasskeyChallenge as endpoint } from '../../contract.ts'
import { refusedPasskeyMessage } from '../../rules.ts'
import { drawChallenge, handleOf, patienceMs, siteOf, spendChallenge, webauthn } from '../challenge.ts'

type Assertion = z.output<typeof assertion>
type Parts = Pick<AppContext, 'config' | 'db'>
const refused = (): never => signInFirst(refusedPasskeyMessage, 'passkey_refused')

/** What a passkey has to sign to log in. It names nobody: the device knows its own accounts. */
export async function createPasskeyChallenge({ config, db }: Parts): Promise<Output<typeof endpoint>> {
  return {
    challenge: await drawChallenge(db, null),
    rpId: siteOf(config).rpId,
    timeout: patienceMs,
    userVerification: 'required',
  }
}

/**
 * Signs in with a passkey: a fresh challenge of ours, signed for this site by a known key whose device has made sure who holds
 * it, so that no second step is asked for. Throws 401 in the same words for whatever does not fit, a counter that went back included.
 */
export async function confirmPasskey(
  { config, db }: Parts,
  input: Assertion,
  request: RequestContext,
): Promise<{ user: User; token: string }> {
  const expectedChallenge = (await spendChallenge(db, input.response.clientDataJSON, null)) ?? refused()
  const known = (await keyOf(db, input.id)) ?? refused()
  const counter = (await counterOf(config, input, known, expectedChallenge)) ?? refused()
  const { newLoginMail } = await settings.read(db, 'accounts')
  return inTransaction(db, async (tx) => {
    const [user] = await tx.select(userView).from(users).where(eq(users.id, known.userId)).for('no key update')
    const used = await tx
      .update(passkeys)
      .set({ counter, lastUsedAt: sql`now()` })
      // Devices that do not count say zero every time; one that does and says the same twice was copied.
      .where(
        and(
          eq(passkeys.id, known.id),
          sql`(${passkeys.counter} < ${counter} or (${passkeys.counter} = 0 and ${counter} = 0))`,
        ),
      )
      .returning({ id: passkeys.id })
    if (!user || used.length === 0) return refused()
    return { user, token: await signIn(tx, user, request, { newLoginMail }) }
  })
}

async function keyOf(db: Db, credentialId: string) {
  const { id, userId, publicKey, counter } = passkeys
  const [row] = await db
    .select({ id, userId, publicKey, counter })
    .from(passkeys)
    .where(eq(passkeys.credentialId, credentialId))
  return row
}

/** The counter the device says, when everything it signed is right. */
async function counterOf(
  config: Parts['config'],
  { id, response }: Assertion,
  known: NonNullable<Awaited<ReturnType<typeof keyOf>>>,
  expectedChallenge: string,
): Promise<number | undefined> {
  if (response.userHandle !== undefined && response.userHandle !== handleOf(config, known.userId)) return undefined
  const { rpId, origin } = siteOf(config)
  const { verifyAuthenticationResponse } = await webauthn()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: { id, publicKey: new Uint8Array(known.publicKey), counter: known.counter },
      requireUserVerification: true,
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    // Whatever the library cannot read or believe is refused alike.
    return undefined
  }
}
