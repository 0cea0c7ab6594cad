import { OutboundFailure } from './outbound.ts'

/** Ports above 1023 that are used by databases, caches, queues and other services, and never for streams. */
const servicePorts = new Set([
  1433, 1521, 1883, 2049, 2375, 2376, 2379, 2380, 3260, 3306, 3389, 4369, 4444, 5060, 5432, 5601, 5672, 5900, 5984,
  6000, 6379, 6443, 7001, 8086, 8125, 8500, 9000, 9042, 9090, 9092, 9093, 9100, 9200, 9300, 10250, 11211, 15672, 26379,
  27017,
])

/**
 * Rules for the URLs that may be called. `base` is the operator's panel, and `ownHosts` are the hosts of this site, with their ports. If `hosts` is not empty,
 * no other hosts may be called besides the panel; `*.cdn.example` matches all hosts below `cdn.example`.
 */
export type StreamRules = {
  base: URL
  ownHosts: ReadonlySet<string>
  allowPrivate: boolean
  userAgent: string
  hosts?: readonly string[]
}

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

/** The maximum length of a URL that is called, in characters. */
export const maxAddressLength = 4_096

/**
 * Checks a URL from the playlist or redirect of another server. Throws OutboundFailure with the code of the violated rule: `scheme`, `user_info`, `too_long`,
 * `own_host`, `port`, `downgrade` or `host`. URLs with the host and port of the operator's panel pass even if that port is otherwise not allowed.
 */
export function assertStreamAddress(
  url: URL,
  { base, ownHosts, hosts }: Pick<StreamRules, 'base' | 'ownHosts' | 'hosts'>,
): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new OutboundFailure('scheme')
  if (url.username !== '' || url.password !== '') throw new OutboundFailure('user_info')
  if (url.href.length > maxAddressLength) throw new OutboundFailure('too_long')
  const port = portOf(url)
  if (ownHosts.has(`${url.hostname}:${port}`)) throw new OutboundFailure('own_host')
  if (base.protocol === 'https:' && url.protocol === 'http:') throw new OutboundFailure('downgrade')
  if (url.host === base.host) return
  if (hosts?.length && url.hostname !== base.hostname && !isOneOf(hosts, url.hostname))
    throw new OutboundFailure('host')
  if ((port < 1024 && port !== 80 && port !== 443) || servicePorts.has(port)) throw new OutboundFailure('port')
}

const isOneOf = (hosts: readonly string[], name: string): boolean =>
  hosts.some((host) => (host.startsWith('*.') ? name.endsWith(host.slice(1)) : name === host))

/** Whether the host of this URL may have a private address. Only the operator's panel may, never a host that the panel names. */
export const mayBePrivate = (url: URL, { base, allowPrivate }: Pick<StreamRules, 'base' | 'allowPrivate'>): boolean =>
  allowPrivate && url.hostname === base.hostname

/**
 * Returns the hosts of this site with their ports: the hosts and ports of its public URLs, and each of its host names with the port that this process listens
 * on.
 */
export function ownHostsOf({
  publicUrl,
  streamUrls,
  port,
}: {
  publicUrl: string
  streamUrls: readonly string[]
  port: number
}): Set<string> {
  const urls = [publicUrl, ...streamUrls].map((text) => new URL(text))
  return new Set([
    ...urls.flatMap((url) => [`${url.hostname}:${portOf(url)}`, `${url.hostname}:${port}`]),
    ...['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '[::]'].map((host) => `${host}:${port}`),
  ])
}
