import { and, eq, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { User } from '#features/accounts/contract.ts'
import type { RequestContext } from '#features/accounts/server/service/confirm-password.ts'
import { signIn } from '#features/accounts/server/service/sign-in.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { passkeys, users } from '#server/db/tables.ts'
import { signInFirst } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { userView } from '#server/session/user-view.ts'
import type { assertion, createPasskeyChallenge as endpoint } from '../../contract.ts'
import { refusedPasskeyMessage } from '../../rules.ts'
import {
  challengeTimeoutMs,
  consumeChallenge,
  createChallenge,
  loadWebauthn,
  relyingPartyOf,
  userHandleOf,
} from '../challenge.ts'

type Assertion = z.output<typeof assertion>
type PasskeyContext = Pick<AppContext, 'config' | 'db'>
const refusePasskey = (): never => signInFirst(refusedPasskeyMessage, 'passkey_refused')

/** Returns the WebAuthn login options. They name no account: the device offers the passkeys that it has for this site. */
export async function createPasskeyChallenge({ config, db }: PasskeyContext): Promise<Output<typeof endpoint>> {
  return {
    challenge: await createChallenge(db, null),
    rpId: relyingPartyOf(config).rpId,
    timeout: challengeTimeoutMs,
    userVerification: 'required',
  }
}

/**
 * Logs in with a passkey. It must have signed a valid challenge for this site on a device that verified its user; no second step is required.
 * Throws 401 with the same message for every failure, including a signature counter that did not increase.
 */
export async function confirmPasskey(
  { config, db }: PasskeyContext,
  input: Assertion,
  request: RequestContext,
): Promise<{ user: User; token: string }> {
  const expectedChallenge = (await consumeChallenge(db, input.response.clientDataJSON, null)) ?? refusePasskey()
  const stored = (await findPasskey(db, input.id)) ?? refusePasskey()
  const counter = (await verifiedCounter(config, input, stored, expectedChallenge)) ?? refusePasskey()
  const { newLoginMail } = await settings.read(db, 'accounts')
  return inTransaction(db, async (tx) => {
    const [user] = await tx.select(userView).from(users).where(eq(users.id, stored.userId)).for('no key update')
    const used = await tx
      .update(passkeys)
      .set({ counter, lastUsedAt: sql`now()` })
      // Devices without a counter always send zero. For others, a counter that does not increase indicates a cloned passkey.
      .where(
        and(
          eq(passkeys.id, stored.id),
          sql`(${passkeys.counter} < ${counter} or (${passkeys.counter} = 0 and ${counter} = 0))`,
        ),
      )
      .returning({ id: passkeys.id })
    if (!user || used.length === 0) return refusePasskey()
    return { user, token: await signIn(tx, user, request, { newLoginMail }) }
  })
}

async function findPasskey(db: Db, credentialId: string) {
  const { id, userId, publicKey, counter } = passkeys
  const [row] = await db
    .select({ id, userId, publicKey, counter })
    .from(passkeys)
    .where(eq(passkeys.credentialId, credentialId))
  return row
}

/** Verifies a login and returns its signature counter; undefined if anything is wrong. */
async function verifiedCounter(
  config: PasskeyContext['config'],
  { id, response }: Assertion,
  stored: NonNullable<Awaited<ReturnType<typeof findPasskey>>>,
  expectedChallenge: string,
): Promise<number | undefined> {
  if (response.userHandle !== undefined && response.userHandle !== userHandleOf(config, stored.userId)) return undefined
  const { rpId, origin } = relyingPartyOf(config)
  const { verifyAuthenticationResponse } = await loadWebauthn()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: { id, publicKey: new Uint8Array(stored.publicKey), counter: stored.counter },
      requireUserVerification: true,
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    // The library throws for anything it cannot parse or verify.
    return undefined
  }
}
