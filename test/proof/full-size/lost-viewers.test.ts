// Viewers who are lost without closing anything: a connection that forwards nothing and never closes, a viewer who reads nothing, a viewer who sends no more
// requests.
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFakePanel } from '../../harness/fake-panel.ts'
import { bytes, playlist, type StreamMode, segmentOf, transport } from '../../harness/fake-streams.ts'
import type { HttpUser } from '../../harness/http-user.ts'
import { proxyTo } from '../../harness/proxy.ts'
import { type StreamApp, startStreamApp } from '../../harness/stream-app.ts'

/** How long the panel stream and the screen may stay in use after the viewer is lost, and the allowance for a busy machine. In milliseconds. */
const streamMs = 20_000
const screenMs = 40_000
const busyMs = 1_500

let panel: Awaited<ReturnType<typeof startFakePanel>>
let installation: StreamApp

/** Sends an endless segment as fast as it is read. */
const endless: StreamMode = (response) => {
  response.writeHead(200, { 'content-type': 'video/mp2t' })
  const send = () => {
    while (!response.destroyed && response.write(segmentOf(0)));
  }
  response.on('drain', send)
  send()
}

beforeAll(async () => {
  panel = await startFakePanel()
  const { streams } = panel
  streams.files['/endless.ts'] = endless
  streams.modes.endless = playlist('#EXTM3U', '#EXT-X-TARGETDURATION:2', '#EXTINF:2,', `${streams.balancer}/endless.ts`)
  streams.modes['tape.ts'] = transport()
  streams.modes.tape = bytes('<html>Missing</html>', 'text/html', 404)
  installation = await startStreamApp({ panel, streams: ['endless.1', 'tape.1'] })
}, 120_000)
afterAll(async () => {
  await installation?.close()
  await panel?.close()
})

const requestOf = async (url: string): Promise<IncomingMessage> => {
  const request = get(url, { agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  // The app closes the connection of a viewer who reads nothing.
  request.on('error', () => undefined)
  response.on('error', () => undefined)
  expect(response.statusCode).toBe(200)
  return response
}
const textOf = async (url: string): Promise<string> => {
  let text = ''
  for await (const chunk of await requestOf(url)) text += String(chunk)
  return text
}
const addressesIn = (text: string): string[] => text.match(/\/stream\/\S+/g) ?? []
const open = (viewer: HttpUser, channelId: number, take?: string) =>
  viewer.send(installation.app.url, 'POST', '/api/plays', { channelId, ...(take && { take }) })

/** Polls `isDone` ten times a second. Returns the milliseconds from `started` until it returns true, or Infinity after `timeoutMs`. */
async function waitUntil(
  isDone: () => boolean | Promise<boolean>,
  timeoutMs: number,
  started = performance.now(),
): Promise<number> {
  while (!(await isDone())) {
    if (performance.now() - started > timeoutMs) return Number.POSITIVE_INFINITY
    await sleep(100)
  }
  return performance.now() - started
}

type Lost = (url: string, addresses: string[]) => Promise<void>
/** Starts to read through a proxy that then forwards nothing more and closes nothing. */
const vanishes: Lost = async (url, addresses) => {
  const proxy = await proxyTo(url)
  const response = await requestOf(new URL(addresses.at(-1)!, proxy.address as string).href)
  response.resume()
  await once(response, 'data')
  proxy.freeze()
}
const readsNothing: Lost = async (url, addresses) => {
  const response = await requestOf(url + addresses.at(-1)!)
  response.pause()
}
/** Reads a response, keeps the connection open and requests nothing more. */
const sleeps: Lost = async (url, addresses) => {
  const response = await requestOf(url + addresses.at(-1)!)
  for await (const _ of response) if (addresses.length === 1) break
}

describe.each<[string, number, Lost]>([
  ['vanishes during a segment from the panel', 0, vanishes],
  ['vanishes during a segment cut by the app', 1, vanishes],
  ['reads nothing of a segment from the panel', 0, readsNothing],
  ['reads nothing of a segment cut by the app', 1, readsNothing],
  ['sends no more requests for segments cut by the app', 1, sleeps],
])('a viewer who %s', (_, channel, lose) => {
  test('loses the panel stream within 20 seconds and the screen within 40 seconds', {
    timeout: 120_000,
  }, async () => {
    const { url } = installation.app
    // Waits until the streams of the previous test are closed.
    await waitUntil(() => panel.streams.open() === 0, 5_000)
    const [[viewer, second]] = (await installation.viewers({ count: 1, browsers: 2 })) as [[HttpUser, HttpUser]]
    const channelId = installation.channels[channel]!
    const { body } = await open(viewer, channelId)
    const addresses = addressesIn(await textOf(url + String(body.address)))
    expect(addresses.length).toBeGreaterThan(0)
    await lose(url, addresses)
    const started = performance.now()
    expect(panel.streams.open()).toBe(1)
    expect((await open(second, channelId)).body.code).toBe('slots_full')
    const closed = await waitUntil(() => panel.streams.open() === 0, streamMs + busyMs, started)
    expect((await open(second, channelId)).body.code).toBe('slots_full')
    const freed = await waitUntil(
      async () => (await open(second, channelId)).status === 200,
      screenMs + busyMs,
      started,
    )
    console.log(`closed after ${(closed / 1000).toFixed(1)} s, screen free after ${(freed / 1000).toFixed(1)} s`)
    expect(closed).toBeLessThan(streamMs + busyMs)
    expect(freed).toBeLessThan(screenMs + busyMs)
    // The second browser plays now. If the first one returns, it must not use a second connection of the line.
    const back = await fetch(url + String(body.address))
    expect([back.status, JSON.parse(await back.text())]).toMatchObject([410, { code: 'closed' }])
    // An HLS channel without a viewer uses no panel stream.
    expect((await open(second, installation.channels[0]!)).status).toBe(200)
    await expect.poll(() => panel.streams.open()).toBe(0)
  })
})
