import { count, eq } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { type RequestContext, type AccountContext, withPassword } from '#features/accounts/server/service/confirm-password.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { passkeys, users } from '#server/db/tables.ts'
import { conflict, Refusal } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { notifyUser } from '#server/live/notify.ts'
import type { SessionUser } from '#server/session/session.ts'
import { type attestation, type createPasskeyOptions as endpoint, listPasskeys, type Passkey } from '../../contract.ts'
import { passkeysAtMost, refusedPasskeyMessage } from '../../rules.ts'
import { drawChallenge, handleOf, patienceMs, siteOf, spendChallenge, webauthn } from '../challenge.ts'
import { tellPasskey } from '../passkey-mail.ts'
import { passkeyView } from './read-passkeys.ts'

type Attestation = z.output<typeof attestation>
const full = () => conflict('too_many_passkeys', `You have ${passkeysAtMost} passkeys. Please remove one first.`)

/** What a device has to sign to become a passkey of somebody who gives their password. Throws like `withPassword`, 409 when there are ten. */
export async function createPasskeyOptions(
  ctx: AccountContext & Pick<AppContext, 'config'>,
  user: SessionUser,
  password: string,
  request: RequestContext,
): Promise<Output<typeof endpoint>> {
  const { rpId } = siteOf(ctx.config)
  const known = await withPassword(ctx, user, password, request, () => (tx) => {
    const { credentialId, transports } = passkeys
    return tx.select({ id: credentialId, transports }).from(passkeys).where(eq(passkeys.userId, user.id))
  })
  if (known.length >= passkeysAtMost) full()
  const { brand } = await settings.read(ctx.db, 'site')
  const options = await (await webauthn()).generateRegistrationOptions({
    rpName: brand.name,
    rpID: rpId,
    userName: user.username,
    userDisplayName: user.username,
    userID: Buffer.from(handleOf(ctx.config, user.id), 'base64url'),
    challenge: Buffer.from(await drawChallenge(ctx.db, user.id), 'base64url'),
    timeout: patienceMs,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  // Named here, since the library's type leaves all of it optional.
  return {
    ...options,
    rp: { id: rpId, name: brand.name },
    timeout: patienceMs,
    attestation: 'none',
    excludeCredentials: known.map(({ id, transports }) => ({ id, type: 'public-key' as const, transports })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  }
}

/** Adds a passkey that signed a fresh challenge of this user. Throws 400 for anything else, 409 for a known one and the eleventh. */
export async function createPasskey(
  { config, db }: Pick<AppContext, 'config' | 'db'>,
  user: SessionUser,
  { name, passkey: { id, response } }: { name: string; passkey: Attestation },
  requestId: string,
): Promise<Passkey> {
  const { rpId, origin } = siteOf(config)
  const expectedChallenge = await spendChallenge(db, response.clientDataJSON, user.id)
  const verified =
    expectedChallenge === undefined
      ? undefined
      : await (await webauthn())
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
      // The lock makes one user's tabs wait for each other, so that the tenth is the last.
      await tx.select({ id: users.id }).from(users).where(eq(users.id, user.id)).for('no key update')
      const [has] = await tx.select({ passkeys: count() }).from(passkeys).where(eq(passkeys.userId, user.id))
      if (has!.passkeys >= passkeysAtMost) full()
      const [made] = await tx
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
      await tellPasskey(tx, user, { change: 'added', name }, requestId)
      await audit(tx, {
        actorId: user.id,
        action: 'passkey.create',
        targetType: 'passkey',
        targetId: made!.id,
        after: { name },
        requestId,
      })
      await notifyUser(tx, user.id, [listPasskeys.id])
      return made!
    })
  } catch (error) {
    if (violationOf(error)?.constraint !== 'passkeys_credential_id_key') throw error
    return conflict('known_passkey', 'This device has a passkey for an account already.')
  }
}
