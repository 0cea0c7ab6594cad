import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { backgroundHeader } from '#kit/background.ts'
import type { Config } from '../config.ts'
import type { Slot } from '../overload/slot.ts'
import { apiKeyIn } from '../session/api-key-format.ts'

/** The caller of a request: IP address, user agent and session tokens. */
export type Caller = {
  ip: string
  userAgent: string
  sessionToken: string | undefined
  /** The API key, valid or not. A request with an API key has no tokens. */
  apiKey?: string | undefined
  /** An administrator's own session token, while `sessionToken` is that of a customer they view. */
  ownToken?: string | undefined
  /** The token of a paired device. */
  deviceToken?: string | undefined
  /** Whether the page made the request without a user action. */
  isBackground?: boolean
  /** The request's slot in a concurrency limiter, if it has one. */
  slot?: Slot | undefined
}

/** `__Host-sid` if cookies are Secure, otherwise `sid`: browsers reject the prefix over plain http. */
export const sessionCookieName = (config: Pick<Config, 'secureCookies'>): string =>
  config.secureCookies ? '__Host-sid' : 'sid'

/** The cookie that keeps an administrator's own session while they view the site as a customer. */
export const ownCookieName = (config: Pick<Config, 'secureCookies'>): string =>
  config.secureCookies ? '__Host-own' : 'own'

/** The cookie of a paired device: it opens only endpoints for watching. */
export const deviceCookieName = (config: Pick<Config, 'secureCookies'>): string =>
  config.secureCookies ? '__Host-device' : 'device'

/** The session token in a Cookie header; undefined if the cookie is missing or occurs twice. */
export function sessionTokenIn(
  cookieHeader: string | undefined,
  config: Pick<Config, 'secureCookies'>,
): string | undefined {
  return cookieIn(cookieHeader, sessionCookieName(config))
}

function cookieIn(cookieHeader: string | undefined, cookieName: string): string | undefined {
  const name = `${cookieName}=`
  if (!cookieHeader?.includes(name)) return undefined
  const found = cookieHeader
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(name))
  return found.length === 1 ? found[0]!.slice(name.length) : undefined
}

/** Reads the caller of a request. X-Forwarded-For is trusted for as many proxies as TRUST_PROXY says. Cookies of a request with an API key are not read. */
export function callerOf(c: Context, config: Pick<Config, 'secureCookies' | 'trustProxy'>): Caller {
  const apiKey = apiKeyIn(c.req.header('authorization') ?? null)
  const cookies = apiKey === undefined ? c.req.header('cookie') : undefined
  const env = c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined
  return {
    ip: clientIp(env?.incoming?.socket?.remoteAddress, c.req.header('x-forwarded-for'), config.trustProxy),
    userAgent: (c.req.header('user-agent') ?? '').slice(0, 256),
    apiKey,
    sessionToken: sessionTokenIn(cookies, config),
    ownToken: cookieIn(cookies, ownCookieName(config)),
    deviceToken: cookieIn(cookies, deviceCookieName(config)),
    isBackground: c.req.header(backgroundHeader) !== undefined,
  }
}

/** Whether a request has exactly one Host header. If there are several, Node uses the first, but a proxy may use another one. */
export function hasOneHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts++
  return hosts === 1
}

/** The IP address of the client. IPv4-mapped IPv6 becomes IPv4. */
export function clientIp(
  remoteAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  const hops = (forwardedFor ?? '').split(',').map((hop) => hop.trim())
  const claimed = trustedProxies > 0 ? hops.at(-trustedProxies) : undefined
  return (claimed || remoteAddress || '127.0.0.1').replace(/^::ffff:/, '').slice(0, 64)
}
