import { expect, test } from 'vitest'
import { ViewerNetworks } from './viewer-networks.ts'

const second = 1_000
/**
 * Makes a request every five seconds, from each of these IP addresses in turn. Returns after how many seconds they count as two viewers; undefined if they
 * never do.
 */
function sharedAfter(addresses: readonly string[], seconds = 300): number | undefined {
  const networks = new ViewerNetworks()
  for (let at = 0; at < seconds; at += 5)
    if (networks.isShared(addresses[(at / 5) % addresses.length]!, at * second)) return at
  return undefined
}

test.each<[string, string[]]>([
  ['IPv4', ['192.0.2.1', '198.51.100.1']],
  ['IPv6', ['2001:db8:1:100::1', '2001:db8:2:100::1']],
  ['networks that differ in the last of 56 bits', ['2001:db8:0:100::1', '2001:db8:0:200::1']],
  ['one network is used twice as often', ['192.0.2.1', '192.0.2.1', '198.51.100.1']],
])('two networks that take turns for over a minute are two viewers: %s', (_, addresses) => {
  expect(sharedAfter(addresses)).toBeGreaterThan(60)
  expect(sharedAfter(addresses)).toBeLessThan(90)
})

test.each<[string, string[]]>([
  ['one network', ['192.0.2.1', '192.0.2.200']],
  ['one household with several IPv6 networks', ['2001:db8:0:101::1', '2001:db8:0:1ff::1']],
  ['one household with IPv4 and IPv6', ['192.0.2.1', '2001:db8::1']],
  ['a connection whose provider uses many networks', ['192.0.2.1', '198.51.100.1', '203.0.113.1']],
])('%s is one viewer', (_, addresses) => {
  expect(sharedAfter(addresses)).toBeUndefined()
})

test('a phone that leaves the house and returns is one viewer', () => {
  const networks = new ViewerNetworks()
  const [home, away] = ['192.0.2.1', '198.51.100.1']
  let at = 0
  for (const ip of [home, away, home, away, home])
    for (const until = at + 120 * second; at < until; at += 5 * second) expect(networks.isShared(ip, at)).toBe(false)
})

test('a connection that changes between two networks for half a minute is one viewer', () => {
  const networks = new ViewerNetworks()
  for (let at = 0; at < 30; at += 5)
    expect(networks.isShared(at % 10 ? '192.0.2.1' : '198.51.100.1', at * second)).toBe(false)
  for (let at = 30; at < 300; at += 5) expect(networks.isShared('192.0.2.1', at * second)).toBe(false)
})
