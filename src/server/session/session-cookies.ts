import type { Config } from '../config.ts'
import { deviceCookieName, ownCookieName, sessionCookieName } from '../http/request.ts'

/** The Set-Cookie header that sets the session token. */
export const sessionCookie = (config: Pick<Config, 'secureCookies'>, token: string): string =>
  cookie(config, token, 30 * 24 * 60 * 60)
/** The Set-Cookie header that clears the session token. */
export const clearedCookie = (config: Pick<Config, 'secureCookies'>): string => cookie(config, '', 0)

/** The Set-Cookie header that stores an administrator's own token while they view the site as a customer. */
export const ownCookie = (config: Pick<Config, 'secureCookies'>, token: string): string =>
  cookie(config, token, 12 * 60 * 60, ownCookieName(config))
/** The Set-Cookie header that clears an administrator's own token. */
export const clearedOwnCookie = (config: Pick<Config, 'secureCookies'>): string =>
  cookie(config, '', 0, ownCookieName(config))

/** The Set-Cookie header that stores the token of a paired device. */
export const deviceCookie = (config: Pick<Config, 'secureCookies'>, token: string): string =>
  cookie(config, token, 400 * 24 * 60 * 60, deviceCookieName(config))
/** The Set-Cookie header that clears the token of a paired device. */
export const clearedDeviceCookie = (config: Pick<Config, 'secureCookies'>): string =>
  cookie(config, '', 0, deviceCookieName(config))

const cookie = (
  config: Pick<Config, 'secureCookies'>,
  value: string,
  maxAgeSeconds: number,
  name = sessionCookieName(config),
): string =>
  `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${config.secureCookies ? '; Secure' : ''}`
