import type { Config } from '#server/config.ts'
import { ownHostsOf, type StreamRules } from '#server/outbound/stream-address.ts'
import type { LineToWatch } from '../plays/line-to-watch.ts'

const ownHosts = new WeakMap<Config, ReadonlySet<string>>()

/** Returns the rules for addresses that may be called for streams of a line. */
export function streamRulesOf(
  config: Config,
  { base, userAgent }: Pick<LineToWatch, 'base' | 'userAgent'>,
): StreamRules {
  const own = ownHosts.get(config) ?? ownHostsOf(config)
  ownHosts.set(config, own)
  return { base, userAgent, allowPrivate: config.panelAllowPrivate, ownHosts: own, hosts: config.streamHosts }
}
