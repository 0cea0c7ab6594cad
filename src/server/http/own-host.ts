import { networkInterfaces } from 'node:os'
import type { Config } from '../config.ts'

type Site = Pick<Config, 'publicUrl' | 'hasPublicUrl'>

const localNames = new Set(['localhost', '127.0.0.1', '[::1]'])
const rememberedMs = 60_000
let addresses = { at: Number.NEGATIVE_INFINITY, names: new Set<string>() }

/** The addresses of this machine as a Host header writes them, refreshed every minute. */
function ownAddresses(): Set<string> {
  const now = performance.now()
  if (now - addresses.at < rememberedMs) return addresses.names
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  addresses = {
    at: now,
    names: new Set(all.map(({ address, family }) => (family === 'IPv6' ? `[${address.split('%')[0]}]` : address))),
  }
  return addresses.names
}

/** The name in a Host header, without its port: a proxy may leave the port out. */
const nameIn = (host: string): string | undefined => URL.parse(`http://${host}`)?.hostname

/** Whether a Host header names this machine itself: localhost or one of its addresses, with any port. */
export function isLocalHost(host: string): boolean {
  const name = nameIn(host)
  return name !== undefined && (localNames.has(name) || ownAddresses().has(name))
}

/**
 * Whether a Host header is one that this installation is reached by: that of PUBLIC_URL, or this machine itself, for proxies and probes. Any
 * other name may be one that a stranger lets point here.
 */
export const isOwnHost = (host: string, { publicUrl }: Pick<Site, 'publicUrl'>): boolean =>
  nameIn(host) === new URL(publicUrl).hostname || isLocalHost(host)

/** Whether an Origin is a page of this installation: that of PUBLIC_URL, or without the setting this machine under the name of the request. */
export function isOwnOrigin(origin: string, host: string | null, { publicUrl, hasPublicUrl }: Site): boolean {
  if (origin === new URL(publicUrl).origin) return true
  if (hasPublicUrl || host === null || !isLocalHost(host)) return false
  return origin === `http://${host}` || origin === `https://${host}`
}
