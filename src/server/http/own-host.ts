import { networkInterfaces } from 'node:os'
import type { Config } from '../config.ts'

type Site = Pick<Config, 'publicUrl' | 'hasPublicUrl'>

const localNames = new Set(['localhost', '127.0.0.1', '[::1]'])
const cacheMs = 60_000
let addresses = { at: Number.NEGATIVE_INFINITY, names: new Set<string>() }

/** The IP addresses of this machine in the notation of a Host header, refreshed every minute. */
function ownAddresses(): Set<string> {
  const now = performance.now()
  if (now - addresses.at < cacheMs) return addresses.names
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  addresses = {
    at: now,
    names: new Set(all.map(({ address, family }) => (family === 'IPv6' ? `[${address.split('%')[0]}]` : address))),
  }
  return addresses.names
}

/** Returns the host name in a Host header without the port, because a proxy may omit the port. */
const nameIn = (host: string): string | undefined => URL.parse(`http://${host}`)?.hostname

/** Whether a Host header names this machine itself: localhost or one of its addresses, with any port. */
export function isLocalHost(host: string): boolean {
  const name = nameIn(host)
  return name !== undefined && (localNames.has(name) || ownAddresses().has(name))
}

/**
 * Whether a Host header belongs to this installation: the host of PUBLIC_URL, or this machine itself, for proxies and probes. Any other name
 * may be an attacker's domain that resolves to this machine (DNS rebinding).
 */
export const isOwnHost = (host: string, { publicUrl }: Pick<Site, 'publicUrl'>): boolean =>
  nameIn(host) === new URL(publicUrl).hostname || isLocalHost(host)

/** Whether an Origin belongs to this installation: the origin of PUBLIC_URL or, if PUBLIC_URL is not set, the request's Host if it names this machine. */
export function isOwnOrigin(origin: string, host: string | null, { publicUrl, hasPublicUrl }: Site): boolean {
  if (origin === new URL(publicUrl).origin) return true
  if (hasPublicUrl || host === null || !isLocalHost(host)) return false
  return origin === `http://${host}` || origin === `https://${host}`
}
