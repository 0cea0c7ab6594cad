import type { Instant } from '#kit/dates.ts'

type Meaning = {
  /** `refused`: the panel refused the credentials. `unknown`: they could not be checked; the message never suggests a wrong password. */
  kind: 'valid' | 'refused' | 'unknown'
  message: string
}

const unchecked = 'so your credentials could not be checked.'

/** Every outcome of a check and its message for the customer. The messages contain no text from the panel. */
export const outcomes = {
  ok: { kind: 'valid', message: 'Your IPTV credentials are valid.' },
  bad_credentials: { kind: 'refused', message: 'The IPTV credentials are invalid. Please check and try again.' },
  expired: {
    kind: 'refused',
    message: 'This IPTV account has expired. Please renew your subscription or contact support.',
  },
  disabled: { kind: 'refused', message: 'This IPTV account is disabled. Please contact support.' },
  banned: { kind: 'refused', message: 'This IPTV account is blocked. Please contact support.' },
  rate_limited: {
    kind: 'unknown',
    message:
      'The IPTV service asks us to wait before the next check. Your password may well be right. Please try again in a few minutes.',
  },
  blocked: {
    kind: 'unknown',
    message: `The IPTV service refused our request, ${unchecked} Please try again later or contact support.`,
  },
  // Several panels answer a wrong password with 404.
  not_found_or_rejected: {
    kind: 'refused',
    message: 'Wrong username or password: the IPTV service rejected them. Please check and try again.',
  },
  client_error: {
    kind: 'unknown',
    message: `The IPTV service did not understand our request, ${unchecked} Please contact support.`,
  },
  provider_error: {
    kind: 'unknown',
    message: `The IPTV service is having a problem, ${unchecked} Please try again later.`,
  },
  not_xtream: {
    kind: 'unknown',
    message: `Something other than the IPTV service answered, ${unchecked} Please try again later.`,
  },
  bad_response: {
    kind: 'unknown',
    message: `The IPTV service gave an answer we could not read, ${unchecked} Please try again later.`,
  },
  unreachable: {
    kind: 'unknown',
    message: `The IPTV service cannot be reached right now, ${unchecked} Please try again in a moment.`,
  },
  held: {
    kind: 'unknown',
    message: `This copy of the site is not in service, ${unchecked} Please use the live site or contact support.`,
  },
  not_configured: {
    kind: 'unknown',
    message: `No IPTV service is connected yet, ${unchecked} Please contact support.`,
  },
} satisfies Record<string, Meaning>
export type Outcome = keyof typeof outcomes

/** `maxConnections`: 0 is unlimited, null is unknown. `expiresAt`: null is never or unknown. */
type Line = { outcome: 'ok'; expiresAt: Instant | null; maxConnections: number | null }
/** `why` is a code for logs. */
type NoLine = { outcome: Exclude<Outcome, 'ok'>; why?: string; retryAfterSeconds?: number }
export type Verdict = Line | NoLine

export const syncedMessage = 'Your IPTV credentials have been saved and verified.'

/** `3 connections`, or `unlimited connections` for 0. */
export const connectionsText = (maxConnections: number): string =>
  maxConnections === 0
    ? 'unlimited connections'
    : `${maxConnections} ${maxConnections === 1 ? 'connection' : 'connections'}`
