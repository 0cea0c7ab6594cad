import { sql } from 'drizzle-orm'
import { assertCertificates } from '#features/settings/server/certificates.ts'
import { readSecret, secretSetAt, writeSecret } from '#features/settings/server/secrets.ts'
import * as settings from '#features/settings/server/service.ts'
import { versionOf } from '#features/settings/server/version.ts'
import type { Input, Output } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { mailboxReader } from '#server/db/tables.ts'
import { conflict, invalid } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { changed } from '#server/live/notify.ts'
import type { getMailboxSettings, testMailbox as testEndpoint } from '../../admin-mailbox-contract.ts'
import type { MailboxForm, MailboxSettings } from '../../contract.ts'
import { passwordOf, readCredentials } from './credentials.ts'
import { failureOf } from './failure.ts'
import { redirectUriOf } from './oauth.ts'
import { openStored } from './open-stored.ts'

type Stored = Output<typeof getMailboxSettings>
type Editor = { id: number; requestId: string }

/**
 * Whether two settings use the same account. The stored password is only used for the account that it was entered for, so it is never sent to another server or
 * for another user.
 */
export const isSameAccount = (
  a: Pick<MailboxSettings, 'host' | 'username'>,
  b: Pick<MailboxSettings, 'host' | 'username'>,
) => a.host === b.host && a.username === b.username

/** Whether a consent is valid for both settings. It belongs to one account, one client and one mail service. */
const isSameConsent = (a: MailboxSettings, b: MailboxSettings): boolean =>
  (['username', 'login', 'clientId', 'exchangeUrl', 'scope'] as const).every((field) => a[field] === b[field])
/** Whether two settings use the same client, because a client secret is never sent to another service. */
const isSameClient = (a: MailboxSettings, b: MailboxSettings): boolean =>
  (['login', 'clientId', 'exchangeUrl'] as const).every((field) => a[field] === b[field])

/** Returns the stored settings, and which secrets are set. */
export async function readMailboxSettings(db: Db | Tx, config: Pick<Config, 'publicUrl'>): Promise<Stored> {
  const value = await settings.read(db, 'mailbox')
  const passwordSetAt = await secretSetAt(db, 'mailbox-password')
  const clientSecretSetAt = await secretSetAt(db, 'mailbox-client-secret')
  const version = versionOf([value, passwordSetAt, clientSecretSetAt])
  return {
    version,
    passwordSet: passwordSetAt !== null,
    clientSecretSet: clientSecretSetAt !== null,
    connectedAt: await secretSetAt(db, 'mailbox-refresh-token'),
    redirectUri: redirectUriOf(config),
    value: { ...value, password: '', clientSecret: '' },
  }
}

/**
 * Replaces the settings and stores the password sealed. Reading resumes if the mailbox was paused. Throws 400 at the password field if the password is missing
 * or was entered for another account, and 409 if the settings have changed since `version`.
 */
export async function updateMailboxSettings(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  { version, value: { password, clientSecret, ...input } }: { version: string; value: MailboxForm },
  { id: actorId, requestId }: Editor,
): Promise<Stored> {
  assertCertificates(input.ca, 'value.ca')
  const saved = await inTransaction(db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('setting'), hashtext('mailbox'))`)
    const before = await readMailboxSettings(tx, config)
    if (before.version !== version)
      return conflict(
        'stale',
        'Another administrator has changed these settings. Nothing was saved; please check them before you change them.',
      )
    const isForgotten = password === '' && before.passwordSet && !isSameAccount(before.value, input)
    if (input.enabled && input.login === 'password' && password === '' && (isForgotten || !before.passwordSet))
      invalid(
        'value.password',
        isForgotten
          ? 'Please enter the password again: the stored password belongs to another account'
          : 'Please enter the password',
      )
    await settings.writeSetting(tx, 'mailbox', input, actorId, requestId)
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
    if (clientSecret !== '' || (before.clientSecretSet && !isSameClient(before.value, input))) {
      await writeSecret(tx, config, 'mailbox-client-secret', clientSecret === '' ? null : clientSecret)
      await audit(tx, {
        actorId,
        action: 'mailbox.client_secret',
        targetType: 'setting',
        targetId: 'mailbox',
        before: { isSet: before.clientSecretSet },
        after: { isSet: clientSecret !== '' },
        requestId,
      })
    }
    if (before.connectedAt !== null && !isSameConsent(before.value, input))
      await writeSecret(tx, config, 'mailbox-refresh-token', null)
    await restartReader(tx, input.enabled)
    await changed(tx, 'mailbox')
    return readMailboxSettings(tx, config)
  })
  settings.clearCache()
  return saved
}

/** Revokes the lease and ends a pause. Afterwards a reader that uses the former settings can store nothing more. */
export const restartReader = (tx: Tx, isEnabled: boolean) =>
  tx.update(mailboxReader).set({
    holder: null,
    heldUntil: sql`now()`,
    enabledAt: isEnabled ? sql`coalesce(${mailboxReader.enabledAt}, now())` : null,
    pausedSince: null,
    failures: 0,
    restUntil: sql`now()`,
    failingSince: null,
    lastFailure: null,
  })

/** Connects to a mailbox and opens its folder. Saves nothing. The stored password is used only for its own account. The test is recorded in the audit log. */
export async function testMailbox(
  { db, config, log }: Pick<AppContext, 'db' | 'config' | 'log'>,
  input: Input<typeof testEndpoint>['body'],
  { id: actorId, requestId }: { id: number | null; requestId: string },
): Promise<Output<typeof testEndpoint>> {
  assertCertificates(input.ca, 'ca')
  const stored = await settings.read(db, 'mailbox')
  const isSame = isSameAccount(stored, input)
  const credentials =
    input.login === 'password'
      ? passwordOf(input.password || (isSame ? await readSecret(db, config, 'mailbox-password') : null))
      : isSame && stored.login === input.login
        ? await readCredentials(db, config, stored)
        : null
  if (!credentials)
    return {
      ok: false,
      message:
        input.login === 'password'
          ? 'Please enter the password: none is stored for this account.'
          : 'Please save these settings and connect the account first.',
    }
  const result = await openStored({ db, config }, { ...input, allowPrivate: config.mailboxAllowPrivate }, credentials)
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
