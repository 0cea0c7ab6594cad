import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '#server/limits.ts'
import { linePassword } from '../harness/fake-panel.ts'
import { bytes, redirect, segmentOf } from '../harness/fake-streams.ts'
import { nginx, startNginx } from '../harness/nginx.ts'
import { type NginxWorld, nginxWorld } from '../harness/nginx-world.ts'
import { dataFolder } from '../harness/running-app.ts'

// Needs Debian's package `nginx` (or `nginx-light`); the tests are skipped if it is not installed.
describe.runIf(nginx)('when nginx fetches segments,', () => {
  let front: NginxWorld
  let world: NginxWorld['world']
  let url: string
  const seen: { url: string; headers: Record<string, unknown> }[] = []

  beforeAll(async () => {
    front = await nginxWorld()
    world = front.world
    url = front.url
  }, 90_000)
  afterAll(() => front?.close())

  /** Opens the channel with these panel segments. Returns their addresses on this site. */
  const segments = (...paths: string[]) => front.segments(...paths.map((path) => world.panel.streams.balancer + path))

  test('they arrive unchanged with our headers only; the path, the user agent and one range reach the panel, cookies do not', async () => {
    const path = '/hls/a%2Fb+c==/0.ts?token=x%3D1&y=%2F'
    world.panel.streams.files[path] = (response, incoming) => {
      seen.push({ url: incoming.url ?? '', headers: incoming.headers })
      response
        .writeHead(incoming.headers.range ? 206 : 200, {
          'content-type': 'text/html',
          'set-cookie': 'spy=1',
          server: 'panel',
          'x-accel-redirect': '/metrics',
          'clear-site-data': '"cookies"',
          'alt-svc': 'h3="spy.example:443"',
          ...(incoming.headers.range && { 'content-range': 'bytes 0-187/188' }),
        })
        .end(incoming.headers.range ? segmentOf(0).subarray(0, 188) : segmentOf(0))
    }
    const [address] = await segments(path)
    const response = await fetch(url + address!, {
      headers: { cookie: 'sid=secret', 'x-up-url': 'http://127.0.0.1:1/', authorization: 'Bearer secret' },
    })
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer()).equals(segmentOf(0))).toBe(true)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'video/mp2t',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect(JSON.stringify([...response.headers])).not.toMatch(/x-up-|spy|panel|clear-site-data|127\.0\.0\.1/)
    const part = await fetch(url + address!, { headers: { range: 'bytes=0-187' } })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 188])
    expect(seen.map((call) => call.url)).toEqual([path, path])
    expect(seen[0]!.headers).toMatchObject({ 'user-agent': 'VLC/3.0.18 LibVLC/3.0.18' })
    expect(Object.keys(seen[0]!.headers)).not.toContain('cookie')
    expect(seen[1]!.headers.range).toBe('bytes=0-187')
    expect(world.app.logs.join('\n')).not.toContain(linePassword)
  })

  test('it keeps its connections to the app, although each app response sends it to the panel', async () => {
    const paths = Array.from({ length: 20 }, (_, n) => `/kept/${n}.ts`)
    for (const path of paths) world.panel.streams.files[path] = bytes(segmentOf(1))
    const addresses = await segments(...paths)
    const before = front.connections()
    for (const address of addresses) {
      const response = await fetch(url + address)
      expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, segmentOf(1).length])
    }
    expect(front.connections() - before).toBe(0)
  })

  test('a play that requests more segments than it plays gets at most 40 Mbit/s and six segments at a time', async () => {
    const large = Buffer.concat(Array.from({ length: Math.ceil(8_000_000 / segmentOf(0).length) }, () => segmentOf(0)))
    world.panel.streams.files['/large.ts'] = bytes(large)
    await front.changeViewer()
    const [address = ''] = await segments('/large.ts')
    const load = () => fetch(url + address)
    const secondsFor = async (responses: Response[]) => {
      const started = performance.now()
      const sizes = await Promise.all(responses.map(async (response) => (await response.arrayBuffer()).byteLength))
      expect(sizes).toEqual(responses.map(() => large.length))
      return (performance.now() - started) / 1_000
    }
    const inParallel = () => Promise.all(Array.from({ length: 6 }, load))
    const rateOfNext = async () => (await world.app.app.request(address)).headers.get('x-accel-limit-rate')
    for (let n = 0; n < limits.relay.unlimited; n++) expect(await rateOfNext()).toBe(null)
    expect(await rateOfNext()).toBe(String(limits.relay.bytesPerSecond))
    const limited = await inParallel()
    expect(limited.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect((await load()).status).toBe(429)
    // 8 MB at 5 MB/s take 1.6 s, minus what nginx sent before the measurement.
    expect(await secondsFor(limited)).toBeGreaterThan(1.3)
    const next = await load()
    expect(next.status).toBe(200)
    await next.body!.cancel()
    expect(readFileSync(join(front.folder, 'error.log'), 'utf8')).not.toContain('/stream/')
  })

  test('URLs with credentials and URLs of stored positions are not in the access log', async () => {
    const paths = [
      '/live/abcdefgh/1.m3u8',
      '//live/abcdefgh/2.m3u8',
      '/get.php?username=a&password=b',
      '/c/player_api.php?username=a',
      '/panel_api.php?username=a',
      '/movie/abcdefgh/secret/1.mp4',
      '/api/user?password=b',
      '/abcdefgh/abcdefghijkmnpqr/1',
      '//abcdefgh/abcdefghijkmnpqr/2',
      '/stream/a/b.ts',
      '/api/watch-progress/program/1.1795000000000',
    ]
    for (const path of paths) {
      await fetch(url + path)
      // A browser that opened the URL also requests the site icon, with the URL as its referrer.
      await fetch(`${url}/favicon.ico`, { headers: { referer: url + path } })
    }
    await fetch(`${url}/faq?logged`, { headers: { referer: `${url}/pricing` } })
    await expect.poll(() => readFileSync(join(front.folder, 'access.log'), 'utf8')).toContain('/faq?logged')
    const log = readFileSync(join(front.folder, 'access.log'), 'utf8')
    for (const path of paths) expect(log).not.toContain(path)
    expect(log).not.toContain('abcdefgh')
  })

  test('URLs with credentials are not in the error log if the app or the panel does not respond', async () => {
    const paths = [
      '/live/abcdefgh/1.m3u8',
      '//live/abcdefgh/2.m3u8',
      '/get.php?username=a&password=b',
      '/panel_api.php?username=a',
      '/movie/abcdefgh/secret/1.mp4',
      '/abcdefgh/abcdefghijkmnpqr/1',
    ]
    const app = createServer((incoming, response) =>
      incoming.url === '/healthz' ? response.end() : response.destroy(),
    ).listen(0, '127.0.0.1')
    await once(app, 'listening')
    const data = dataFolder()
    const silent = await startNginx(data.path, (app.address() as AddressInfo).port)
    onTestFinished(() => {
      silent.stop()
      app.close()
      data.remove()
    })
    for (const path of [...paths, '/faq?logged']) expect((await fetch(silent.url + path)).status).toBe(502)
    const log = readFileSync(join(data.path, 'error.log'), 'utf8')
    expect(log).toContain('/faq?logged')
    for (const path of paths) expect(log).not.toContain(path)

    const path = '/live/line/secret/1.ts'
    world.panel.streams.files[path] = (response) => response.destroy()
    const [address = ''] = await segments(path)
    expect((await fetch(url + address)).status).toBe(502)
    expect(readFileSync(join(front.folder, 'error.log'), 'utf8')).not.toMatch(/secret|\/stream\//)
  })

  test('a redirect by the panel becomes a 502 and is not followed', async () => {
    world.panel.streams.files['/moved.ts'] = redirect('http://127.0.0.1:1/')
    const [moved] = await segments('/moved.ts')
    const response = await fetch(url + moved!)
    expect([response.status, response.headers.get('location')]).toEqual([502, null])
  })

  test('no viewer receives an error page from the panel', async () => {
    const own = { 416: 416, 429: 429, 502: 502 } as Record<number, number>
    const statuses = [
      300, 400, 401, 403, 404, 405, 410, 416, 429, 451, 456, 458, 500, 502, 503, 504, 512, 513, 520, 530,
    ]
    for (const status of statuses)
      world.panel.streams.files[`/refused/${status}.ts`] = bytes('No line/secret at panel.example', 'text/html', status)
    await front.changeViewer()
    const addresses = await segments(...statuses.map((status) => `/refused/${status}.ts`))
    for (const [n, status] of statuses.entries()) {
      const response = await fetch(url + addresses[n]!)
      expect([status, response.status]).toEqual([status, status === 300 ? 502 : (own[status] ?? 504)])
      expect(await response.text()).not.toMatch(/secret|panel/)
    }
  })

  test('the internal location cannot be requested, and changed or earlier addresses do not reach the panel', async () => {
    world.panel.streams.files['/x.ts'] = bytes(segmentOf(1))
    const [address] = await segments('/x.ts')
    const before = world.panel.streams.requests.length
    expect((await fetch(`${url}/_up`, { headers: { 'x-up-url': world.panel.url } })).status).toBe(404)
    expect(
      (await fetch(`${url}${address!.replace(/(.)\.ts$/, (_, last) => `${last === 'A' ? 'B' : 'A'}.ts`)}`)).status,
    ).toBe(404)
    const [other] = await segments('/x.ts')
    expect((await fetch(url + address!)).status).toBe(404)
    expect(world.panel.streams.requests.filter((path) => path === '/x.ts')).toHaveLength(0)
    expect((await fetch(url + other!)).status).toBe(200)
    expect(world.panel.streams.requests.length).toBeGreaterThan(before)
  })

  test('a viewer who leaves closes the connection to the panel', async () => {
    world.panel.streams.files['/slow.ts'] = (response) => {
      response.writeHead(200, { 'content-length': 10_000_000 }).write(segmentOf(0))
    }
    const [address] = await segments('/slow.ts')
    const leaving = request(url + address!).end()
    await vi.waitUntil(() => world.panel.streams.requests.includes('/slow.ts'))
    await vi.waitUntil(() => world.panel.streams.open() > 0)
    leaving.destroy()
    leaving.on('error', () => undefined)
    await expect.poll(() => world.panel.streams.open(), { timeout: 5_000 }).toBe(0)
  })
})
