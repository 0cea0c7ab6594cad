import { readSecret } from '#features/settings/server/secrets.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { type Smtp, smtp } from '#server/mail/smtp.ts'
import type { SmtpConfig } from '#server/mail/smtp-address.ts'
import { unguarded } from '#server/session/session-guard.ts'
import type { MailServer } from '../../contract.ts'

type Context = { db: Db; config: Config }

/**
 * A consistent snapshot of the mail server: that of the environment, else that of the settings; undefined without one. Throws if its password cannot
 * be decrypted.
 */
export async function loadSmtp({ db, config }: Context): Promise<Smtp | undefined> {
  const server = config.smtp ?? (await loadMailServer({ db, config }))
  return server && smtp(server)
}

/** The mail server of the settings; undefined without one. Throws if its password cannot be decrypted. */
export const loadMailServer = ({ db, config }: Context): Promise<SmtpConfig | undefined> =>
  // A transaction does not use the cache, and a password is never read for settings that it does not belong to. It is read-only, so it cannot
  // lock the session of an administrator.
  inTransaction(unguarded(db), (tx) => load(tx, config), { isolationLevel: 'repeatable read', accessMode: 'read only' })

async function load(tx: Tx, config: Config): Promise<SmtpConfig | undefined> {
  const stored = await settings.read(tx, 'mailServer')
  if (stored.host === '') return undefined
  const password = stored.username === '' ? null : await readSecret(tx, config, 'mail-password')
  return { ...smtpOf(stored, password, config), ...stored.connection }
}

/** A mail server of the settings for the SMTP client, without its connection. */
export const smtpOf = (
  { host, port, username, address, name, ca }: Omit<MailServer, 'connection'>,
  password: string | null,
  { mailServerAllowPrivate }: Pick<Config, 'mailServerAllowPrivate'>,
) => ({
  host: host.replace(/^\[|\]$/g, ''),
  port,
  auth: password === null ? undefined : { user: username, pass: password },
  from: { name, address },
  isPublicOnly: !mailServerAllowPrivate,
  ...(ca && { ca }),
})

/** The address that emails are sent from; null without a mail server, while emails are only logged. */
export async function mailSender(db: Db, config: Pick<Config, 'smtp'>): Promise<string | null> {
  if (config.smtp) return config.smtp.from.address
  const { host, address } = await settings.read(db, 'mailServer')
  return host === '' ? null : address
}
