import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { isSameOrigin } from './origin.ts'
import { isOwnHost } from './own-host.ts'

const own = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ family }) => family === 'IPv4')!.address
const set = { publicUrl: 'https://tv.example', hasPublicUrl: true }
const unset = { publicUrl: 'http://localhost:3000', hasPublicUrl: false }
const isSame = (site: typeof set, origin: string | null, host: string | null, fetchSite: string | null = null) =>
  isSameOrigin(fetchSite, origin, host, site)

describe('with PUBLIC_URL', () => {
  test.each([
    ['https://tv.example', 'tv.example'],
    // A proxy on this machine that does not forward the Host header.
    ['https://tv.example', '127.0.0.1:3000'],
    ['https://tv.example', null],
    ['https://tv.example', 'tv.example:8443'],
  ])('the origin %s under the host %s is accepted', (origin, host) => expect(isSame(set, origin, host)).toBe(true))

  test.each([
    ['https://evil.example', 'evil.example'],
    ['http://localhost:3000', 'localhost:3000'],
    ['http://127.0.0.1:3000', '127.0.0.1:3000'],
    ['https://tv.example', 'evil.example'],
    ['http://tv.example', 'tv.example'],
    ['https://tv.example:8443', 'tv.example'],
  ])('the origin %s under the host %s is rejected', (origin, host) => expect(isSame(set, origin, host)).toBe(false))

  test('a request without Origin but with Sec-Fetch-Site: same-origin is accepted only under our host', () => {
    expect([isSame(set, null, 'tv.example', 'same-origin'), isSame(set, null, 'evil.example', 'same-origin')]).toEqual([
      true,
      false,
    ])
  })
})

describe('without PUBLIC_URL', () => {
  test.each(['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'localhost', `${own}:3000`, '127.0.0.1:8080'])(
    '%s names this machine and is accepted',
    (host) => {
      expect([isOwnHost(host, unset), isSame(unset, `http://${host}`, host)]).toEqual([true, true])
    },
  )

  test.each([
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '198.51.100.1:3000',
    'localhost@evil.example',
    '',
    ' ',
  ])('%j is rejected, even if Host and Origin match', (host) =>
    expect([isOwnHost(host, unset), isSame(unset, `http://${host}`, host)]).toEqual([false, false]),
  )

  test('the origin must match the host of the request', () => {
    expect(isSame(unset, 'http://127.0.0.1:3001', '127.0.0.1:3000')).toBe(false)
  })
})
