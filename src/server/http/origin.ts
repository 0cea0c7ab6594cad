import type { Config } from '../config.ts'
import { notAllowed } from '../errors.ts'
import { isOwnHost, isOwnOrigin } from './own-host.ts'

type Site = Pick<Config, 'publicUrl' | 'hasPublicUrl'>

/** A write must come from a page of this site: Sec-Fetch-Site where the browser says it, Origin, and a Host that is ours. Throws 403. */
export function assertSameOrigin(headers: Headers, config: Site): void {
  const host = headers.get('host')
  if (host !== null && !isOwnHost(host, config))
    notAllowed(
      'This address is not known here. The operator has to set PUBLIC_URL to the address that people use.',
      'foreign_host',
    )
  if (!isSameOrigin(headers.get('sec-fetch-site'), headers.get('origin'), host, config))
    notAllowed('This request did not come from our own pages', 'foreign_origin')
}

/** The same for raw header values; a missing Origin never counts as ours. */
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
