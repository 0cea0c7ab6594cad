import type { Config } from './config.ts'
import { notAllowed } from './errors.ts'

/** A write or a socket must come from a page of this site: Sec-Fetch-Site where the browser says it, else Origin. Throws 403. */
export function assertSameOrigin(headers: Headers, config: Pick<Config, 'publicUrl'>): void {
  if (!isSameOrigin(headers.get('sec-fetch-site'), headers.get('origin'), headers.get('host'), config))
    notAllowed('This request did not come from our own pages', 'foreign_origin')
}

/** The same for raw header values; a missing Origin never counts as ours. */
export function isSameOrigin(fetchSite: string | null, origin: string | null, host: string | null, config: Pick<Config, 'publicUrl'>): boolean {
  if (fetchSite !== null && fetchSite !== 'same-origin') return false
  if (origin === null) return fetchSite === 'same-origin'
  if (origin === config.publicUrl || origin === new URL(config.publicUrl).origin) return true
  return host !== null && (origin === `http://${host}` || origin === `https://${host}`)
}
