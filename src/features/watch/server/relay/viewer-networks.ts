import { isIPv6 } from 'node:net'
import { limits } from '#server/limits.ts'
import { networkOf } from '#server/overload/rate-limit.ts'

type Use = { network: string; at: number }
/** The networks from which a play was recently requested over one IP version, IPv4 or IPv6. */
type AddressVersion = {
  current: Use
  /** The network that was used before the current one. */
  other: Use | undefined
  /** When the two networks began to take turns, in milliseconds. */
  turnsSince: number | undefined
}

/**
 * The networks from which one play is requested. A phone that leaves the house changes its network only once. Two networks that take turns for longer than
 * `limits.relay.sharedAfterMs` are two viewers of one screen. IPv4 and IPv6 are separate, because a receiver on IPv4 may play what a phone on IPv6 opened.
 */
export class ViewerNetworks {
  readonly #versions = new Map<'IPv4' | 'IPv6', AddressVersion>()

  /** Records a request at `now` (milliseconds). Returns whether two viewers share the play. */
  isShared(ip: string, now: number): boolean {
    const version = isIPv6(ip) ? 'IPv6' : 'IPv4'
    const use = { network: wideNetworkOf(ip), at: now }
    const known = this.#versions.get(version)
    if (!known) {
      this.#versions.set(version, { current: use, other: undefined, turnsSince: undefined })
      return false
    }
    const { current, other } = known
    const isOtherUsed = other !== undefined && now - other.at <= limits.relay.alternationGapMs
    if (use.network === current.network) {
      if (!isOtherUsed) known.turnsSince = undefined
    } else {
      known.turnsSince = isOtherUsed && use.network === other.network ? (known.turnsSince ?? now) : undefined
      known.other = current
    }
    known.current = use
    return known.turnsSince !== undefined && now - known.turnsSince > limits.relay.sharedAfterMs
  }
}

/** Returns the first 24 bits of an IPv4 address or the first 56 bits of an IPv6 address, which a provider assigns to one household or one area. */
function wideNetworkOf(ip: string): string {
  if (!isIPv6(ip)) return ip.split('.').slice(0, 3).join('.')
  const [first, second, third, fourth = '0'] = networkOf(ip).split(':')
  return [first, second, third, Number.parseInt(fourth, 16) >> 8].join(':')
}
