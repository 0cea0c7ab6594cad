import { readSecret, writeSecret } from '#features/settings/server/secrets.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { MailboxFailure } from './failure.ts'
import { accessTokenOf, type LoginSettings, type OAuthClient, serviceOf } from './oauth.ts'

/** The credentials that are sent to the mail server at login. */
export type Login = { password: string } | { accessToken: string }
/** The credentials as they are stored. */
export type Credentials = { password: string } | { client: OAuthClient; refreshToken: string }

export const passwordOf = (password: string | null): Credentials | null => (password ? { password } : null)

/** Returns the stored credentials, or null if there is no password or no consent of the mail service. Throws if they cannot be decrypted. */
export async function readCredentials(
  db: Db | Tx,
  config: Config,
  settings: LoginSettings,
): Promise<Credentials | null> {
  if (settings.login === 'password') return passwordOf(await readSecret(db, config, 'mailbox-password'))
  const refreshToken = await readSecret(db, config, 'mailbox-refresh-token')
  if (refreshToken === null) return null
  const client = {
    exchangeUrl: serviceOf(settings).exchangeUrl,
    clientId: settings.clientId,
    clientSecret: (await readSecret(db, config, 'mailbox-client-secret')) ?? '',
    allowPrivate: config.mailboxAllowPrivate,
  }
  return { client, refreshToken }
}

/** Returns the credentials to log in with now. For a consent this is an access token, which is requested if no valid one is cached. Throws `MailboxFailure`. */
export async function loginOf(
  { db, config }: { db: Db; config: Config },
  credentials: Credentials | null,
): Promise<Login> {
  if (credentials === null) throw new MailboxFailure('consent')
  if ('password' in credentials) return credentials
  const { client, refreshToken } = credentials
  const replace = (rotated: string) =>
    inTransaction(db, async (tx) => {
      // Not stored if the account was connected again, or another process has already stored a newer token.
      if ((await readSecret(tx, config, 'mailbox-refresh-token')) === refreshToken)
        await writeSecret(tx, config, 'mailbox-refresh-token', rotated)
    })
  return { accessToken: await accessTokenOf(client, refreshToken, replace) }
}
