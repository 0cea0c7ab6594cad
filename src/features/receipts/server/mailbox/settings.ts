import { sql } from 'drizzle-orm'
import { assertCertificates } from '#features/settings/server/certificates.ts'
import { readSecret, secretSetAt, writeSecret } from '#features/settings/server/secrets.ts'
import * as settings from '#features/settings/server/service.ts'
import { versionOf } from '#features/settings/server/version.ts'
import type { Input, Output } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { mailboxReader } from '#server/db/tables.ts'
import { conflict, invalid } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { changed } from '#server/live/notify.ts'
import type { getMailboxSettings, testMailbox as testEndpoint } from '../../admin-mailbox-contract.ts'
import type { MailboxForm, MailboxSettings } from '../../contract.ts'
import { openMailbox } from './connection.ts'
import { failureOf } from './failure.ts'

type Stored = Output<typeof getMailboxSettings>
type Editor = { id: number; requestId: string }

/** A password that was entered for one account is never sent to another server, or for another user. */
const isSameAccount = (a: Pick<MailboxSettings, 'host' | 'username'>, b: Pick<MailboxSettings, 'host' | 'username'>) =>
  a.host === b.host && a.username === b.username

/** The stored settings, with whether a password is set. */
export async function readMailboxSettings(db: Db | Tx): Promise<Stored> {
  const value = await settings.read(db, 'mailbox')
  const passwordSetAt = await secretSetAt(db, 'mailbox-password')
  const version = versionOf([value, passwordSetAt])
  return { version, passwordSet: passwordSetAt !== null, value: { ...value, password: '' } }
}

/**
 * Replaces the settings and stores the password sealed. A paused mailbox is read again. Throws 400 at the field for a password that is missing or
 * was entered for another account, and 409 when the settings were changed since `version`.
 */
export async function updateMailboxSettings(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  { version, value: { password, ...input } }: { version: string; value: MailboxForm },
  { id: actorId, requestId }: Editor,
): Promise<Stored> {
  assertCertificates(input.ca, 'value.ca')
  const saved = await inTransaction(db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('setting'), hashtext('mailbox'))`)
    const before = await readMailboxSettings(tx)
    if (before.version !== version)
      return conflict(
        'stale',
        'Another administrator has changed these settings. Nothing was saved; please check them before you change them.',
      )
    const isForgotten = password === '' && before.passwordSet && !isSameAccount(before.value, input)
    if (input.enabled && password === '' && (isForgotten || !before.passwordSet))
      invalid(
        'value.password',
        isForgotten
          ? 'Please enter the password again: the stored one belongs to another account'
          : 'Please enter the password',
      )
    await settings.write(tx, 'mailbox', input, actorId, requestId)
    if (password !== '' || isForgotten) {
      await writeSecret(tx, config, 'mailbox-password', isForgotten ? null : password)
      await audit(tx, {
        actorId,
        action: 'mailbox.password',
        targetType: 'setting',
        targetId: 'mailbox',
        before: { passwordSet: before.passwordSet },
        after: { passwordSet: !isForgotten },
        requestId,
      })
    }
    // The lease is taken away, so that a reader with the former settings stores nothing more.
    await tx.update(mailboxReader).set({
      holder: null,
      heldUntil: sql`now()`,
      enabledAt: input.enabled ? sql`coalesce(${mailboxReader.enabledAt}, now())` : null,
      pausedSince: null,
      failures: 0,
      restUntil: sql`now()`,
      failingSince: null,
      lastFailure: null,
    })
    await changed(tx, 'mailbox')
    return readMailboxSettings(tx)
  })
  settings.clearCache()
  return saved
}

/** Connects to a mailbox and opens its folder. Saves nothing. The stored password is used only for its own account. Audited. */
export async function testMailbox(
  { db, config, log }: Pick<AppContext, 'db' | 'config' | 'log'>,
  input: Input<typeof testEndpoint>['body'],
  { id: actorId, requestId }: { id: number | null; requestId: string },
): Promise<Output<typeof testEndpoint>> {
  assertCertificates(input.ca, 'ca')
  const stored = await settings.read(db, 'mailbox')
  const known = isSameAccount(stored, input) ? await readSecret(db, config, 'mailbox-password') : null
  const password = input.password || known
  if (!password) return { ok: false, message: 'Please enter the password: none is stored for this account.' }
  const result = await openMailbox({ ...input, password, allowPrivate: config.mailboxAllowPrivate })
    .then(({ client, messages }) => {
      client.close()
      return { ok: true, outcome: 'ok', message: `Connected. The folder ${input.folder} has ${emails(messages)}.` }
    })
    .catch((error) => {
      const { code, message } = failureOf(error)
      return { ok: false, outcome: code, message }
    })
  log.info({ requestId, userId: actorId, host: input.host, outcome: result.outcome }, 'payment mailbox tested')
  await audit(db, {
    actorId,
    action: 'mailbox.test',
    targetType: 'setting',
    targetId: 'mailbox',
    after: { host: input.host, outcome: result.outcome },
    requestId,
  })
  return { ok: result.ok, message: result.message }
}

const emails = (count: number): string => (count === 1 ? '1 email' : `${count} emails`)
