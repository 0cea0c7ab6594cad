import { limits } from '../limits.ts'
import { MailSendError, type Message, smtp } from './smtp.ts'
import type { SmtpConfig, Tls } from './smtp-address.ts'

/** The port and the encryption with which a server accepts emails. */
export type SmtpConnection = { port: number; tls: Exclude<Tls, 'never'> }
/** A server whose encryption is not known yet. `port` is null if the port is not known either. */
export type UnknownSmtp = Omit<SmtpConfig, 'port' | 'tls'> & { port: number | null }

/** A shorter connection timeout than usual: a wrong port often does not answer at all, so the next port is tried soon. */
const timeouts = { ...limits.mail, connectMs: 5_000 }

/** Returns the connections to try, in order. A password is never sent without TLS. Without a login, the server does not have to offer TLS. */
function connectionsOf({ port, auth }: Pick<UnknownSmtp, 'port' | 'auth'>): SmtpConnection[] {
  const encrypted: SmtpConnection[] =
    port === null
      ? [
          { port: 465, tls: 'implicit' },
          { port: 587, tls: 'required' },
          { port: 25, tls: 'required' },
        ]
      : // A server that expects STARTTLS refuses TLS immediately, while one that expects TLS is silent.
        [
          { port, tls: 'implicit' },
          { port, tls: 'required' },
        ]
  return auth ? encrypted : [...encrypted, { port: port ?? 25, tls: 'offered' }]
}

/**
 * Sends an email through the first connection that works, and returns that connection. Tries the next connection if a port does not answer or
 * does not offer the encryption. Throws `MailSendError`; a missing encryption is reported in preference to a port that does not answer.
 */
export async function findSmtp(server: UnknownSmtp, message: Message): Promise<SmtpConnection> {
  let failure: MailSendError | undefined
  for (const connection of connectionsOf(server))
    try {
      await smtp({ ...server, ...connection }, { timeouts }).send(message)
      return connection
    } catch (error) {
      if (!(error instanceof MailSendError) || !['connection', 'tls'].includes(error.step)) throw error
      if (failure?.step !== 'tls') failure = error
    }
  throw failure!
}
