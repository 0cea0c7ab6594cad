import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readSecret, writeSecret } from '#features/settings/server/secrets.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import { inTransaction } from '#server/db/retry.ts'
import { conflict } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { changed } from '#server/live/notify.ts'
import type { finishMailbox } from '../../admin-mailbox-contract.ts'
import { MailboxFailure } from './failure.ts'
import { exchangeCode, redirectUriOf, serviceOf } from './oauth.ts'
import { readMailboxSettings, restartReader } from './settings.ts'

type Context = Pick<AppContext, 'db' | 'config'>
type Editor = { id: number; requestId: string }
type Pending = { adminId: number; state: string; verifier: string; until: number }
const validMs = 10 * 60_000

/**
 * Starts a consent with the saved settings. Returns the URL at the mail service; the consent must be finished within ten minutes by the same administrator. A
 * new start replaces the earlier one. Throws 409 if the settings use a password login.
 */
export async function beginConnecting(
  { db, config }: Context,
  editor: Editor,
  now = Date.now(),
): Promise<{ address: string }> {
  const mailbox = await settings.read(db, 'mailbox')
  if (mailbox.login === 'password')
    return conflict('not_oauth', 'Please select a login method other than the password and save it first.')
  const pending: Pending = {
    adminId: editor.id,
    state: randomBytes(24).toString('base64url'),
    verifier: randomBytes(32).toString('base64url'),
    until: now + validMs,
  }
  await inTransaction(db, (tx) => writeSecret(tx, config, 'mailbox-connect', JSON.stringify(pending)))
  const { authorizeUrl, scope, extra } = serviceOf(mailbox)
  const address = new URL(authorizeUrl)
  const query = {
    ...{ response_type: 'code', client_id: mailbox.clientId, redirect_uri: redirectUriOf(config), scope },
    ...{ state: pending.state, code_challenge_method: 'S256', login_hint: mailbox.username, ...extra },
    code_challenge: createHash('sha256').update(pending.verifier).digest('base64url'),
  }
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  return { address: address.href }
}

/**
 * Exchanges the code for a refresh token, which is stored sealed, and resumes reading the mailbox. A started consent can be used once, even if the attempt
 * fails. Throws 409 if `state` is unknown, too old or belongs to another administrator, and 409 with the reason if the service refuses.
 */
export async function finishConnecting(
  { db, config }: Context,
  { state, code }: { state: string; code: string },
  { id: actorId, requestId }: Editor,
  now = Date.now(),
): Promise<Output<typeof finishMailbox>> {
  const begun = await inTransaction(db, async (tx) => {
    const stored = await readSecret(tx, config, 'mailbox-connect')
    await writeSecret(tx, config, 'mailbox-connect', null)
    return stored === null ? undefined : (JSON.parse(stored) as Pending)
  })
  if (!begun || begun.adminId !== actorId || begun.until < now || !isSame(begun.state, state))
    return conflict(
      'not_begun',
      'This connection was not started here or took too long. Please connect the account again.',
    )
  const mailbox = await settings.read(db, 'mailbox')
  const client = {
    exchangeUrl: serviceOf(mailbox).exchangeUrl,
    clientId: mailbox.clientId,
    clientSecret: (await readSecret(db, config, 'mailbox-client-secret')) ?? '',
    allowPrivate: config.mailboxAllowPrivate,
  }
  const tokens = await exchangeCode(client, {
    code,
    verifier: begun.verifier,
    redirectUri: redirectUriOf(config),
  }).catch((error) => {
    if (error instanceof MailboxFailure) return conflict('refused', error.message)
    throw error
  })
  const { refreshToken } = tokens
  if (refreshToken === null)
    return conflict(
      'no_refresh_token',
      'The mail service did not grant offline access. Please allow access while you are away.',
    )
  return inTransaction(db, async (tx) => {
    const current = await settings.read(tx, 'mailbox')
    if (current.clientId !== mailbox.clientId || current.login !== mailbox.login)
      return conflict('stale', 'The settings have changed since then. Please connect the account again.')
    await writeSecret(tx, config, 'mailbox-refresh-token', refreshToken)
    await audit(tx, {
      actorId,
      action: 'mailbox.connect',
      targetType: 'setting',
      targetId: 'mailbox',
      after: { login: mailbox.login, username: mailbox.username },
      requestId,
    })
    await restartReader(tx, current.enabled)
    await changed(tx, 'mailbox')
    return readMailboxSettings(tx, config)
  })
}

function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
