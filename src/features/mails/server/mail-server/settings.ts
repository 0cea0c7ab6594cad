import { sql } from 'drizzle-orm'
import { assertCertificates } from '#features/settings/server/certificates.ts'
import { readSecret, secretSetAt, writeSecret } from '#features/settings/server/secrets.ts'
import * as settings from '#features/settings/server/service.ts'
import { versionOf } from '#features/settings/server/version.ts'
import { audit } from '#server/audit.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { conflict, invalid } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { SmtpConnection } from '#server/mail/find-smtp.ts'
import type { Approver } from '#server/session/actor.ts'
import {
  isConfirmedBySecondAdministrator,
  needsSecondAdministrator,
  notifyOwners,
} from '#server/session/administrators.ts'
import type { StoredMailServer } from '../../admin-server-contract.ts'
import type { MailServerForm } from '../../contract.ts'
import type { SendContext } from '../service/send-mails.ts'
import { loadMailServer, smtpOf } from './load-smtp.ts'
import { sendNoticeThroughFormer } from './notice-through-former.ts'
import { sendTestMail } from './send-test-mail.ts'

type Account = Pick<MailServerForm, 'host' | 'username'>
/** Whether two settings are for the same account. A stored password is never sent to another server or with another username. */
const isSameAccount = (a: Account, b: Account) => a.host === b.host && a.username === b.username

/** Returns the mail server in the settings, whether a password is set, and the mail server set by the environment. */
export async function readMailServer(db: Db | Tx, { smtp }: Pick<Config, 'smtp'>): Promise<StoredMailServer> {
  const { connection, ...value } = await settings.read(db, 'mailServer')
  const passwordSetAt = await secretSetAt(db, 'mail-password')
  return {
    version: versionOf([value, connection, passwordSetAt]),
    isSet: value.host !== '',
    passwordSet: passwordSetAt !== null,
    connection,
    value: { ...value, password: '' },
    environment: smtp ? { host: smtp.host, port: smtp.port, sender: smtp.from.address } : null,
  }
}

/**
 * Sends a test email to the administrator through a mail server, and saves the server if it accepts the email. The port and the encryption are
 * detected. All owners get an email, also sent through the former server. Without `selfApproval`, a second administrator must save the same
 * settings first. Throws 400 on the field that the server refused, and 409 when the environment sets the server, when the settings were changed since
 * `version`, or when the second administrator is missing.
 */
export async function updateMailServer(
  ctx: Omit<SendContext, 'loadSmtp'>,
  { version, value }: { version: string; value: MailServerForm },
  editor: Approver,
): Promise<StoredMailServer> {
  const { db, config } = ctx
  assertCertificates(value.ca, 'value.ca')
  assertVersion(await readMailServer(db, config), version)
  const password = await passwordFor(ctx, value)
  // A password that can no longer be decrypted must not prevent entering a new one.
  const former = await loadMailServer(ctx).catch((error: Error) => {
    ctx.log.warn({ message: error.message }, 'the former mail server cannot be used for the notice')
    return undefined
  })
  const connection = await sendTestMail(ctx, smtpOf(value, password, config), editor)
  const saved = await inTransaction(db, (tx) => save(tx, config, { version, value, password, connection }, editor))
  settings.clearCache()
  if (!saved) return needsSecondAdministrator()
  if (former && former.host !== value.host) await sendNoticeThroughFormer(ctx, former, editor.requestId)
  return saved
}

function assertVersion({ version, environment }: StoredMailServer, expected: string): void {
  if (environment)
    conflict(
      'set_by_environment',
      'The mail server is set by SMTP_URL in the environment of the server, which takes precedence. Nothing was saved.',
    )
  if (version !== expected)
    conflict(
      'stale',
      'Another administrator has changed these settings. Nothing was saved; please check them before you change them.',
    )
}

/** Returns the password to log in with; null for a server without a login. */
async function passwordFor(
  { db, config }: Pick<SendContext, 'db' | 'config'>,
  { password, ...input }: MailServerForm,
): Promise<string | null> {
  if (input.username === '')
    return password === '' ? null : invalid('value.username', 'Please enter the username for this password')
  if (password !== '') return password
  const stored = await settings.read(db, 'mailServer')
  const known = isSameAccount(stored, input) ? await readSecret(db, config, 'mail-password') : null
  if (known !== null) return known
  return invalid(
    'value.password',
    stored.host !== '' && !isSameAccount(stored, input)
      ? 'Please enter the password again: the stored password belongs to another account'
      : 'Please enter the password',
  )
}

type Change = {
  version: string
  value: MailServerForm
  password: string | null
  connection: SmtpConnection
}

/** Returns undefined if a second administrator must save the same settings first. */
async function save(
  tx: Tx,
  config: Config,
  { version, value: { password: typed, ...value }, password, connection }: Change,
  { selfApproval, ...actor }: Approver,
): Promise<StoredMailServer | undefined> {
  const { admin, requestId } = actor
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('setting'), hashtext('mailServer'))`)
  const before = await readMailServer(tx, config)
  assertVersion(before, version)
  const { host, username, address } = value
  const about = `Mail server ${host}, ${username === '' ? 'no login' : `username ${username}`}, sender ${address}`
  // Without the password, because an attacker could guess it from a stored hash. The second administrator enters the password again.
  const request = { action: 'mail_server' as const, target: 'mailServer', what: value, about }
  if (!selfApproval && !(await isConfirmedBySecondAdministrator(tx, request, actor))) return undefined
  await settings.writeSetting(tx, 'mailServer', { ...value, connection }, admin.id, requestId)
  if (typed !== '' || (password === null && before.passwordSet)) {
    await writeSecret(tx, config, 'mail-password', password)
    await audit(tx, {
      actorId: admin.id,
      action: 'mail_server.password',
      targetType: 'setting',
      targetId: 'mailServer',
      before: { passwordSet: before.passwordSet },
      after: { passwordSet: password !== null },
      requestId,
    })
  }
  await notifyOwners(tx, { event: 'mail_server_changed', about, actor: admin, key: requestId })
  await changed(tx, ['setting', 'mail'])
  return readMailServer(tx, config)
}
