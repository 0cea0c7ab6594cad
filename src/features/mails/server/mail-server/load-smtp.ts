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
 * Returns a client for the mail server set by the environment, or otherwise for the mail server in the settings; undefined if neither exists. Throws if the
 * password cannot be decrypted.
 */
export async function loadSmtp({ db, config }: Context): Promise<Smtp | undefined> {
  const server = config.smtp ?? (await loadMailServer({ db, config }))
  return server && smtp(server)
}

/** Returns the mail server in the settings; undefined if none is set up. Throws if its password cannot be decrypted. */
export const loadMailServer = ({ db, config }: Context): Promise<SmtpConfig | undefined> =>
  // The transaction bypasses the settings cache and reads settings and password from one snapshot, so that they always belong together. A read-only
  // transaction cannot lock the session of an administrator, so the database is unguarded.
  inTransaction(unguarded(db), (tx) => load(tx, config), { isolationLevel: 'repeatable read', accessMode: 'read only' })

async function load(tx: Tx, config: Config): Promise<SmtpConfig | undefined> {
  const stored = await settings.read(tx, 'mailServer')
  if (stored.host === '') return undefined
  const password = stored.username === '' ? null : await readSecret(tx, config, 'mail-password')
  return { ...smtpOf(stored, password, config), ...stored.connection }
}

/** Converts mail server settings to the configuration of the SMTP client, without the detected port and encryption. */
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

/** Returns the address that emails are sent from; null while there is no mail server and emails are only logged. */
export async function mailSender(db: Db, config: Pick<Config, 'smtp'>): Promise<string | null> {
  if (config.smtp) return config.smtp.from.address
  const { host, address } = await settings.read(db, 'mailServer')
  return host === '' ? null : address
}
