import { type Instant, isBefore } from '#kit/dates.ts'
import { parseJson } from '#kit/parse-json.ts'
import type { OutboundResponse } from '#server/outbound/outbound.ts'
import type { Outcome, Verdict } from '../../rules.ts'
import { ownField } from './json-fields.ts'

const falsy = new Set<unknown>([0, '0', false, 'false', null, ''])
const truthy = new Set<unknown>([1, '1', true, 'true'])
const rateLimitText = /too many|try( again)? later|rate.?limit/i
const blockedText = /blocked|forbidden|access denied/i
/** Panels write 0 or a number larger than this for "no limit". */
const maxConnections = 1_000

type Options = { now: Instant; neverExpires?: readonly number[] }

/**
 * Determines the verdict from the response to a login call to an Xtream-compatible panel. Numbers may be sent as text and text as numbers. For a redirect, a
 * 429 or a 5xx, only the status counts. Otherwise the body takes precedence over the status. Credentials are valid only with a 2xx status.
 */
export function verdictOf({ status, body }: OutboundResponse, options: Options): Verdict {
  const isBodyTrusted = status < 300 || (status >= 400 && status < 500 && status !== 429)
  const line = isBodyTrusted ? ownField(parseJson(body), 'user_info') : undefined
  const auth = ownField(line, 'auth')
  const verdict = auth === undefined ? undefined : verdictOfLine(line, auth, options)
  return verdict && (verdict.outcome !== 'ok' || status < 300)
    ? verdict
    : { outcome: outcomeOf(status, body), why: `HTTP ${status}` }
}

function verdictOfLine(line: unknown, auth: unknown, { now, neverExpires = [] }: Options): Verdict {
  const status = asText(ownField(line, 'status')).toLowerCase()
  const isAuthenticated = truthy.has(auth)
  if (!isAuthenticated && rateLimitText.test(asText(ownField(line, 'message')))) return { outcome: 'rate_limited' }
  // Checked before `auth`, which some panels set to 0 for a correct password of an expired line.
  if (status === 'banned' || status === 'expired') return { outcome: status }
  if (falsy.has(auth)) return { outcome: 'bad_credentials' }
  if (!isAuthenticated) return { outcome: 'bad_response' }
  if (status !== '' && status !== 'active' && status !== 'trial') return { outcome: 'disabled' }
  const seconds = asNumber(ownField(line, 'exp_date'))
  // Panels write 0, null or nothing for "never".
  const expiresAt = seconds === null || seconds <= 0 || neverExpires.includes(seconds) ? null : instantOf(seconds)
  if (expiresAt !== null && !isBefore(now, expiresAt)) return { outcome: 'expired' }
  return { outcome: 'ok', expiresAt, maxConnections: asConnections(ownField(line, 'max_connections')) }
}

function outcomeOf(status: number, body: string): Exclude<Outcome, 'ok'> {
  if (status === 401) return 'bad_credentials'
  if (status === 403 || status === 407 || status === 429 || status === 451) return 'blocked'
  if (status === 404) return 'not_found_or_rejected'
  if (status === 400) return 'client_error'
  if (status >= 400) return 'provider_error'
  if (body.trimStart().startsWith('<')) return 'not_xtream'
  // JSON may contain such a word in any field, so only plain text counts as a refusal.
  if (parseJson(body) === undefined && blockedText.test(body)) return 'blocked'
  return 'bad_response'
}

const asText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

function asNumber(value: unknown): number | null {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\d{1,15}$/.test(value.trim())
        ? Number(value)
        : Number.NaN
  return Number.isFinite(number) ? number : null
}

/** Converts Unix seconds; null for dates out of range, which are far in the future. */
const instantOf = (seconds: number): Instant | null =>
  seconds > 8_640_000_000_000 ? null : new Date(seconds * 1000).toISOString()

function asConnections(value: unknown): number | null {
  const count = asNumber(value)
  if (count === null || !Number.isInteger(count) || count < 0) return null
  return count > maxConnections ? 0 : count
}
