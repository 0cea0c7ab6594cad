import { count, eq } from 'drizzle-orm'
import type * as z from 'zod/mini'
import {
  type AccountContext,
  type RequestContext,
  withPassword,
} from '#features/accounts/server/service/confirm-password.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { passkeys, users } from '#server/db/tables.ts'
import { conflict, Refusal } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { changed } from '#server/live/notify.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { attestation, createPasskeyOptions as endpoint, Passkey } from '../../contract.ts'
import { maxPasskeys, refusedPasskeyMessage } from '../../rules.ts'
import {
  challengeTimeoutMs,
  consumeChallenge,
  createChallenge,
  loadWebauthn,
  relyingPartyOf,
  userHandleOf,
} from '../challenge.ts'
import { emailPasskeyChange } from '../passkey-mail.ts'
import { passkeyView } from './read-passkeys.ts'

type Attestation = z.output<typeof attestation>
const tooManyPasskeys = () =>
  conflict('too_many_passkeys', `You have ${maxPasskeys} passkeys. Please remove one first.`)

/**
 * Returns the WebAuthn registration options after checking the password. Throws like `withPassword`, and 409 if the user already has `maxPasskeys`.
 */
export async function createPasskeyOptions(
  ctx: AccountContext & Pick<AppContext, 'config'>,
  user: SessionUser,
  password: string,
  request: RequestContext,
): Promise<Output<typeof endpoint>> {
  const { rpId } = relyingPartyOf(ctx.config)
  const known = await withPassword(ctx, user, password, request, () => (tx) => {
    const { credentialId, transports } = passkeys
    return tx.select({ id: credentialId, transports }).from(passkeys).where(eq(passkeys.userId, user.id))
  })
  if (known.length >= maxPasskeys) tooManyPasskeys()
  const { brand } = await settings.read(ctx.db, 'site')
  const options = await (await loadWebauthn()).generateRegistrationOptions({
    rpName: brand.name,
    rpID: rpId,
    userName: user.username,
    userDisplayName: user.username,
    userID: Buffer.from(userHandleOf(ctx.config, user.id), 'base64url'),
    challenge: Buffer.from(await createChallenge(ctx.db, user.id), 'base64url'),
    timeout: challengeTimeoutMs,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  // Set explicitly, because the library's type declares these fields as optional.
  return {
    ...options,
    rp: { id: rpId, name: brand.name },
    timeout: challengeTimeoutMs,
    attestation: 'none',
    excludeCredentials: known.map(({ id, transports }) => ({ id, type: 'public-key' as const, transports })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  }
}

/**
 * Adds a passkey that signed a valid challenge of this user. Throws 400 if verification fails, 409 if the passkey is already registered or the user
 * already has `maxPasskeys`.
 */
export async function createPasskey(
  { config, db }: Pick<AppContext, 'config' | 'db'>,
  user: SessionUser,
  { name, passkey: { id, response } }: { name: string; passkey: Attestation },
  requestId: string,
): Promise<Passkey> {
  const { rpId, origin } = relyingPartyOf(config)
  const expectedChallenge = await consumeChallenge(db, response.clientDataJSON, user.id)
  const verified =
    expectedChallenge === undefined
      ? undefined
      : await (await loadWebauthn())
          .verifyRegistrationResponse({
            response: {
              id,
              rawId: id,
              type: 'public-key',
              clientExtensionResults: {},
              response: { ...response, transports: undefined },
            },
            expectedChallenge,
            expectedOrigin: origin,
            expectedRPID: rpId,
            requireUserVerification: true,
          })
          .catch(() => undefined)
  if (!verified?.verified) throw new Refusal(400, 'passkey_refused', refusedPasskeyMessage)
  const { credential } = verified.registrationInfo
  try {
    return await inTransaction(db, async (tx) => {
      // Lock the user's row, so that concurrent requests cannot exceed the maximum.
      await tx.select({ id: users.id }).from(users).where(eq(users.id, user.id)).for('no key update')
      const [existing] = await tx.select({ passkeys: count() }).from(passkeys).where(eq(passkeys.userId, user.id))
      if (existing!.passkeys >= maxPasskeys) tooManyPasskeys()
      const [created] = await tx
        .insert(passkeys)
        .values({
          userId: user.id,
          name,
          credentialId: credential.id,
          publicKey: Buffer.from(credential.publicKey),
          counter: credential.counter,
          transports: response.transports ?? [],
        })
        .returning(passkeyView)
      await emailPasskeyChange(tx, user, { change: 'added', name }, requestId)
      await audit(tx, {
        actorId: user.id,
        action: 'passkey.create',
        targetType: 'passkey',
        targetId: created!.id,
        after: { name },
        requestId,
      })
      await changed(tx, 'passkey', { user: user.id })
      return created!
    })
  } catch (error) {
    if (violationOf(error)?.constraint !== 'passkeys_credential_id_key') throw error
    return conflict('known_passkey', 'This device already has a passkey for an account.')
  }
}
