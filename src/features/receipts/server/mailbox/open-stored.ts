import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { type Connection, type OpenMailbox, openMailbox } from './connection.ts'
import { type Credentials, loginOf } from './credentials.ts'
import { MailboxFailure } from './failure.ts'
import { forgetAccessToken } from './oauth.ts'

/**
 * Opens a mailbox with stored credentials. An access token that the mail server refuses is removed from memory. The next attempt requests a new token, so the
 * refusal is not reported as a wrong password. Throws `MailboxFailure`.
 */
export async function openStored(
  context: { db: Db; config: Config },
  connection: Omit<Connection, 'login'>,
  credentials: Credentials | null,
): Promise<OpenMailbox> {
  const login = await loginOf(context, credentials)
  try {
    return await openMailbox({ ...connection, login })
  } catch (error) {
    if (!(error instanceof MailboxFailure) || error.code !== 'password') throw error
    if (credentials === null || 'password' in credentials) throw error
    forgetAccessToken(credentials.client, credentials.refreshToken)
    throw new MailboxFailure('login')
  }
}
