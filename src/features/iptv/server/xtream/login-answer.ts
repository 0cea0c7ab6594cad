import { type Instant, isBefore } from '#kit/dates.ts'
import type { OutboundAnswer } from '#server/outbound/outbound.ts'
import type { Outcome, Verdict } from '../../rules.ts'

const falsy = new Set<unknown>([0, '0', false, 'false', null, ''])
const truthy = new Set<unknown>([1, '1', true, 'true'])
const slowDown = /too many|try( again)? later|rate.?limit/i
const turnedAway = /blocked|forbidden|access denied/i
/** The largest number of connections that is one; larger ones, like 0, say "no limit". */
const maxConnections = 1_000

type Options = { now: Instant; neverExpires?: readonly number[] }

/**
 * What an answer to the login call of an Xtream-compatible panel means. Numbers may be text and the other way round. A redirect, a 429
 * and a server's failure stay that, whatever their body claims; otherwise the body speaks first, the status where it says nothing. Only a
 * success lets in.
 */
export function verdictOf({ status, body }: OutboundAnswer, options: Options): Verdict {
  const trusted = status < 300 || (status >= 400 && status < 500 && status !== 429)
  const line = trusted ? ownField(parseJson(body), 'user_info') : undefined
  const auth = ownField(line, 'auth')
  const verdict = auth === undefined ? undefined : verdictOfLine(line, auth, options)
  return verdict && (verdict.outcome !== 'ok' || status < 300)
    ? verdict
    : { outcome: outcomeOf(status, body), why: `HTTP ${status}` }
}

function verdictOfLine(line: unknown, auth: unknown, { now, neverExpires = [] }: Options): Verdict {
  const status = asText(ownField(line, 'status')).toLowerCase()
  const isIn = truthy.has(auth)
  if (!isIn && slowDown.test(asText(ownField(line, 'message')))) return { outcome: 'rate_limited' }
  // Before `auth`, which some panels set to 0 for a right password on a dead line.
  if (status === 'banned' || status === 'expired') return { outcome: status }
  if (falsy.has(auth)) return { outcome: 'bad_credentials' }
  if (!isIn) return { outcome: 'bad_response' }
  if (status !== '' && status !== 'active' && status !== 'trial') return { outcome: 'disabled' }
  const seconds = asNumber(ownField(line, 'exp_date'))
  // Nought, like null and nothing, is how panels write "never".
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
  // In JSON the word may stand in any field; only plain words are a refusal.
  if (parseJson(body) === undefined && turnedAway.test(body)) return 'blocked'
  return 'bad_response'
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** The value of a field that stands in the answer itself; what an object inherits is nobody's answer. */
const ownField = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, field)
    ? (value as Record<string, unknown>)[field]
    : undefined

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

/** Dates that no calendar holds are later than any other. */
const instantOf = (seconds: number): Instant | null =>
  seconds > 8_640_000_000_000 ? null : new Date(seconds * 1000).toISOString()

function asConnections(value: unknown): number | null {
  const most = asNumber(value)
  if (most === null || !Number.isInteger(most) || most < 0) return null
  return most > maxConnections ? 0 : most
}
