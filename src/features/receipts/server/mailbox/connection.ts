import { isIP } from 'node:net'
import type { ImapFlow } from 'imapflow'
import { limits } from '#server/limits.ts'
import { addressesOf } from '#server/outbound/addresses.ts'
import { isOutboundHeld } from '#server/outbound/outbound-gate.ts'
import type { MailboxSettings } from '../../contract.ts'
import type { Login } from './credentials.ts'
import { failureOf, MailboxFailure } from './failure.ts'

export type Connection = Pick<MailboxSettings, 'host' | 'port' | 'tls' | 'username' | 'folder' | 'ca'> & {
  login: Login
  allowPrivate: boolean
}

/** Identifies the account and folder. A reading position is only valid for one such pair. */
export const mailboxId = ({ username, host, folder }: Pick<Connection, 'username' | 'host' | 'folder'>): string =>
  `${username}@${host}/${folder}`

/** A folder that was opened read-only, so nothing in it is changed. */
export type OpenMailbox = { client: ImapFlow; uidValidity: bigint; uidNext: number; messages: number }

/**
 * Connects with TLS, logs in and opens the folder read-only. The host name is resolved once, and the IP address that was checked is used for the connection.
 * Throws `MailboxFailure`.
 */
export async function openMailbox(connection: Connection): Promise<OpenMailbox> {
  const client = await connect(connection).catch((error) => {
    throw failureOf(error)
  })
  try {
    const { uidValidity, uidNext, exists } = await client.mailboxOpen(connection.folder, { readOnly: true })
    return { client, uidValidity, uidNext, messages: exists }
  } catch (error) {
    client.close()
    throw failureOf(error)
  }
}

async function connect({ host, port, tls, username, login, ca, allowPrivate }: Connection): Promise<ImapFlow> {
  if (await isOutboundHeld()) throw new MailboxFailure('held')
  const name = host.replace(/^\[|\]$/g, '')
  const [found] = await addressesOf(name, { allowPrivate })
  // Loaded on first use, because most installations have no mailbox.
  const { ImapFlow } = await import('imapflow')
  const client = new ImapFlow({
    host: found!.address,
    port,
    ...(isIP(name) === 0 && { servername: name }),
    secure: tls === 'implicit',
    ...(tls === 'starttls' && { doSTARTTLS: true }),
    tls: { minVersion: 'TLSv1.2', ...(ca && { ca }) },
    auth: 'password' in login ? { user: username, pass: login.password } : { user: username, ...login },
    clientInfo: { name: 'Sauce' },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: limits.mailbox.connectMs,
    greetingTimeout: limits.mailbox.connectMs,
    socketTimeout: limits.mailbox.silenceMs,
    maxIdleTime: limits.mailbox.pollMs,
    maxLineLength: limits.mailbox.bytes,
    maxLiteralSize: 2 * limits.mailbox.answerBytes,
    maxResponseSize: 3 * limits.mailbox.answerBytes,
  })
  // Without a listener, a connection error would end the process. The running command reports the error as well.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    client.close()
    throw error
  }
  return client
}
