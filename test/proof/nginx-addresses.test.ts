import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { redirect } from '../harness/fake-streams.ts'
import { nginx } from '../harness/nginx.ts'
import { type NginxWorld, nginxWorld } from '../harness/nginx-world.ts'
import { privateHosts } from '../harness/private-hosts.ts'

/** Loopback addresses other than that of the panel, which is allowed. All of them reach the canary server. */
const loopback = ['127.0.0.2', '127.2', '2130706434', '0x7f000002', '0177.0.0.2', '[::ffff:127.0.0.2]', 'localhost']
const hosts = [...loopback, ...privateHosts].filter(
  (host) => !host.endsWith('.test') && new URL(`http://${host}`).hostname !== '127.0.0.1',
)

// Needs Debian's package `nginx` (or `nginx-light`); the tests are skipped if it is not installed.
describe.runIf(nginx)('segments on this machine and in private networks', () => {
  let front: NginxWorld
  const reached: string[] = []
  const canary = createServer((incoming, response) => {
    reached.push(`${incoming.headers.host}${incoming.url}`)
    response.end('reached')
  })
  const canaryAt = (host: string) => `http://${host}:${(canary.address() as AddressInfo).port}/1.ts`

  beforeAll(async () => {
    front = await nginxWorld()
    canary.listen(0, '::')
    await vi.waitUntil(() => canary.listening)
  }, 90_000)
  afterAll(async () => {
    canary.close()
    canary.closeAllConnections()
    await front?.close()
  })

  test(`are not fetched if a playlist names them, in ${hosts.length} forms`, { timeout: 60_000 }, async () => {
    for (const host of loopback) expect(await (await fetch(canaryAt(host))).text()).toBe('reached')
    reached.length = 0
    for (const host of hosts) {
      // The first refusal ends a play, so each host gets a new one.
      const [address] = await front.segments(canaryAt(host))
      expect((await fetch(front.url + address)).status, host).toBe(504)
    }
    expect(reached).toEqual([])
  })

  test('are not fetched after a redirect by the panel', { timeout: 60_000 }, async () => {
    const { streams } = front.world.panel
    const paths = hosts.map((host, n) => {
      streams.files[`/moved/${n}.ts`] = redirect(canaryAt(host))
      return `/moved/${n}.ts`
    })
    const addresses = await front.segments(...paths.map((path) => streams.balancer + path))
    expect(addresses).toHaveLength(hosts.length)
    for (const address of addresses) expect((await fetch(front.url + address)).status).toBe(502)
    expect(streams.requests).toEqual(expect.arrayContaining(paths))
    expect(reached).toEqual([])
  })
})
