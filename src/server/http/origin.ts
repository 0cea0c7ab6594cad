import type { Config } from '../config.ts'
import { notAllowed } from '../errors.ts'
import { isOwnHost, isOwnOrigin } from './own-host.ts'

type Site = Pick<Config, 'publicUrl' | 'hasPublicUrl'>

/** Throws 403 unless a write comes from a page of this site, according to the Sec-Fetch-Site (if sent), Origin and Host headers. */
export function assertSameOrigin(headers: Headers, config: Site): void {
  assertOwnHost(headers, config)
  if (!isSameOrigin(headers.get('sec-fetch-site'), headers.get('origin'), headers.get('host'), config))
    notAllowed('This request did not come from our own pages', 'foreign_origin')
}

/** Throws 403 if a page of any site sends a request that only other servers may send. */
export function assertNoPage(headers: Headers, config: Site): void {
  assertOwnHost(headers, config)
  if (isFromPage(headers)) notAllowed('Web pages cannot send this request', 'foreign_origin')
}

/** Whether the headers say that a page sends the request. */
export const isFromPage = (headers: Headers): boolean => headers.has('origin') || headers.has('sec-fetch-site')

/** Throws 403 for a Host header of another site. */
export function assertOwnHost(headers: Headers, config: Site): void {
  const host = headers.get('host')
  if (host !== null && !isOwnHost(host, config))
    notAllowed(
      'This address is not configured. The operator must set PUBLIC_URL to the public address of this site.',
      'foreign_host',
    )
}

/** Whether a request with these header values comes from a page of this site. Without Origin, only Sec-Fetch-Site: same-origin passes. */
export function isSameOrigin(
  fetchSite: string | null,
  origin: string | null,
  host: string | null,
  config: Site,
): boolean {
  if (host !== null && !isOwnHost(host, config)) return false
  if (fetchSite !== null && fetchSite !== 'same-origin') return false
  return origin === null ? fetchSite === 'same-origin' : isOwnOrigin(origin, host, config)
}
