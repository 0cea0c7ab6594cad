import { createHash } from 'node:crypto'
import type { Config } from '#server/config.ts'
import { Outbound, OutboundFailure, type OutboundResponse } from '#server/outbound/outbound.ts'
import type { MailboxSettings } from '../../contract.ts'
import { MailboxFailure } from './failure.ts'

type Service = { authorizeUrl: string; exchangeUrl: string; scope: string; extra?: Record<string, string> }
const services: Record<'google' | 'microsoft', Service> = {
  google: {
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    exchangeUrl: 'https://oauth2.googleapis.com/token',
    scope: 'https://mail.google.com/',
    // Without these parameters, Google sends a refresh token only for the first consent.
    extra: { access_type: 'offline', prompt: 'consent' },
  },
  microsoft: {
    authorizeUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    exchangeUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    scope: 'https://outlook.office.com/IMAP.AccessAsUser.All offline_access',
  },
}
export type LoginSettings = Pick<MailboxSettings, 'login' | 'clientId' | 'authorizeUrl' | 'exchangeUrl' | 'scope'>

/** Returns the OAuth URLs and the scope of the mail service that these settings use. */
export const serviceOf = ({ login, authorizeUrl, exchangeUrl, scope }: LoginSettings): Service =>
  login === 'google' || login === 'microsoft' ? services[login] : { authorizeUrl, exchangeUrl, scope }

/** Returns the URL of the page to which the mail service redirects the administrator. It has no query. */
export const redirectUriOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string => `${publicUrl}/admin/settings`

/** The client part of a token request. `clientSecret` is empty for a public client. */
export type OAuthClient = { exchangeUrl: string; clientId: string; clientSecret: string; allowPrivate: boolean }
export type Tokens = { accessToken: string; refreshToken: string | null; expiresInMs: number }

/** Exchanges an authorization code for tokens. Throws `MailboxFailure`. */
export const exchangeCode = (
  client: OAuthClient,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
): Promise<Tokens> =>
  request(client, [
    ['grant_type', 'authorization_code'],
    ['code', code],
    ['redirect_uri', redirectUri],
    ['code_verifier', verifier],
  ])

// Access tokens by `keyOf`, that is by client and refresh token. They are kept in memory only.
const known = new Map<string, { accessToken: string; until: number }>()
const marginMs = 60_000

/**
 * Returns an access token for a stored consent, from memory while it is valid. `onRotated` is called with the refresh token that replaces the given one; some
 * services, such as Microsoft's, send a new one each time. Throws `MailboxFailure` with the code `consent` if the consent was withdrawn, and `token` if the
 * service did not send a token.
 */
export async function accessTokenOf(
  client: OAuthClient,
  refreshToken: string,
  onRotated: (refreshToken: string) => Promise<void>,
  now = Date.now(),
): Promise<string> {
  const key = keyOf(client, refreshToken)
  const valid = known.get(key)
  if (valid && valid.until > now) return valid.accessToken
  const tokens = await request(client, [
    ['grant_type', 'refresh_token'],
    ['refresh_token', refreshToken],
  ])
  const { accessToken, refreshToken: rotated, expiresInMs } = tokens
  const isRotated = rotated !== null && rotated !== refreshToken
  if (isRotated) await onRotated(rotated)
  known.delete(key)
  known.set(isRotated ? keyOf(client, rotated) : key, { accessToken, until: now + expiresInMs - marginMs })
  return accessToken
}

/** Removes an access token from memory that the mail server refused before it expired. */
export const forgetAccessToken = (client: OAuthClient, refreshToken: string): void =>
  void known.delete(keyOf(client, refreshToken))

const keyOf = ({ exchangeUrl, clientId }: OAuthClient, refreshToken: string): string =>
  createHash('sha256').update(`${exchangeUrl} ${clientId} ${refreshToken}`).digest('hex')

async function request(
  { exchangeUrl, clientId, clientSecret, allowPrivate }: OAuthClient,
  form: [string, string][],
): Promise<Tokens> {
  const url = new URL(exchangeUrl)
  const [file = '', ...folders] = url.pathname.split('/').filter(Boolean).reverse()
  const base = new URL(folders.reverse().join('/'), url.origin).href
  const outbound = new Outbound({ base, allowPrivate, userAgent: 'Sauce' })
  const secret: [string, string][] = clientSecret === '' ? [] : [['client_secret', clientSecret]]
  const answer = await outbound
    .send({ method: 'POST', file, form: [...form, ['client_id', clientId], ...secret] })
    .catch((error) => {
      throw new MailboxFailure('token', error instanceof OutboundFailure ? error.code : undefined)
    })
  return tokensOf(answer)
}

function tokensOf({ status, body }: OutboundResponse): Tokens {
  const fields = fieldsOf(body)
  // Error codes of RFC 6749 for a consent that was withdrawn or has expired, and for a client that is not accepted.
  if (['invalid_grant', 'invalid_client', 'unauthorized_client'].includes(String(fields.error)))
    throw new MailboxFailure('consent', String(fields.error))
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = fields
  if (status !== 200 || typeof accessToken !== 'string' || accessToken === '' || accessToken.length > 8_000)
    throw new MailboxFailure('token', `HTTP ${status}`.replace(/\W/g, '_'))
  return {
    accessToken,
    refreshToken: typeof refreshToken === 'string' && refreshToken !== '' ? refreshToken.slice(0, 8_000) : null,
    expiresInMs: (typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, 86_400) : 3_600) * 1_000,
  }
}

function fieldsOf(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
