// The app with viewers, and a panel double with channels of several kinds. All viewers have one browser.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/open.ts'
import { atDistance } from '../../test/harness/distance.ts'
import { startFakePanel } from '../../test/harness/fake-panel.ts'
import { bytes, playlist, type StreamMode, segmentOf } from '../../test/harness/fake-streams.ts'
import { dataFolder, type RunningApp, runApp } from '../../test/harness/running-app.ts'
import { offerStreams, storeViewers } from '../../test/harness/watch-installation.ts'
import { serverCore } from '../processes.ts'

/** The round trip to the panel double, in milliseconds. */
export const panelRoundTripMs = 20
/** The bytes of a segment of two seconds at 4 Mbit/s. */
export const segmentBytes = 1_000_000
const segmentMs = 2_000
export const bigBytes = 4_000_000
export const bigSegments = 32
const viewerCount = 100

export const channelNames = ['near', 'slow', 'steady', 'big', 'wide', 'dark', 'news', 'direct'] as const
export type ChannelName = (typeof channelNames)[number]
export type Installation = Awaited<ReturnType<typeof install>>

/** A packet that every player ignores, so that a segment has the size of one with more detail. */
const filler = Buffer.alloc(188, Buffer.from([0x47, 0x03, 0x00, 0x10, ...Buffer.alloc(184, 0xff)]))
const wide = (n: number): Buffer => {
  const stream = segmentOf(n)
  return Buffer.concat([stream, Buffer.alloc(Math.floor((segmentBytes - stream.length) / 188) * 188, filler)])
}

/** Sends a segment with its length, as panels do. */
const whole =
  (body: Buffer): StreamMode =>
  (response) =>
    response.writeHead(200, { 'content-type': 'video/mp2t', 'content-length': body.length }).end(body)

/** Sends a transport stream of 4 Mbit/s, 16 seconds of it at once, in pieces of a quarter of a second. */
const running: StreamMode = (response) => {
  response.writeHead(200, { 'content-type': 'video/mp2t' })
  const startedAt = Date.now() - 16_000
  const pieces = 8
  let sent = 0
  const send = () => {
    for (; startedAt + (sent * segmentMs) / pieces < Date.now() && !response.destroyed; sent++) {
      const segment = wides[Math.floor(sent / pieces) % wides.length]!
      const size = Math.ceil(segment.length / pieces)
      response.write(segment.subarray((sent % pieces) * size, ((sent % pieces) + 1) * size))
    }
  }
  const timer = setInterval(send, 50)
  response.on('close', () => clearInterval(timer))
  send()
}
const wides = Array.from({ length: 6 }, (_, n) => wide(n))

/** A live playlist whose segments of 1 MB change every two seconds. */
export const steadyPlaylist = (prefix: string, now = Date.now()): string[] => {
  const first = Math.floor(now / segmentMs) - 6
  const segments = Array.from({ length: 6 }, (_, n) => [`#EXTINF:2,`, `${prefix}/steady/${(first + n) % 32}.ts`])
  return ['#EXTM3U', '#EXT-X-TARGETDURATION:2', `#EXT-X-MEDIA-SEQUENCE:${first}`, ...segments.flat()]
}

/** Starts everything. The app runs on the core of the server. */
export async function install() {
  const data = dataFolder()
  const panel = await startFakePanel()
  const { streams } = panel
  const near = streams.balancer
  const farPanel = await atDistance(panel.url, panelRoundTripMs)
  const farBalancer = await atDistance(near, panelRoundTripMs)
  // Redirects of the channels `news` and `direct` lead to the distant load balancer.
  streams.balancer = farBalancer.url
  /** When the panel noticed that the slow segment is no longer read. */
  const slow = { closedAt: 0 }
  const media = (...uris: string[]) =>
    playlist('#EXTM3U', '#EXT-X-TARGETDURATION:2', ...uris.flatMap((uri) => ['#EXTINF:2,', near + uri]))
  const steady: StreamMode = (response, request) => playlist(...steadyPlaylist(near))(response, request)
  const bigs = Array.from({ length: bigSegments }, (_, n) => `/big/${n}.ts`)
  Object.assign(streams.modes, {
    near: media('/near.ts'),
    slow: media('/slow.ts'),
    big: media(...bigs),
    steady,
    wide: bytes('<html>Missing</html>', 'text/html', 404),
    'wide.ts': running,
    dark: bytes('<html>Missing</html>', 'text/html', 404),
  })
  const big = Buffer.alloc(bigBytes, segmentOf(0))
  for (const path of bigs) streams.files[path] = whole(big)
  for (let n = 0; n < 32; n++) streams.files[`/steady/${n}.ts`] = whole(wides[n % wides.length]!)
  streams.files['/near.ts'] = whole(segmentOf(0))
  streams.files['/slow.ts'] = (response) => {
    response.writeHead(200, { 'content-type': 'video/mp2t' })
    const piece = Buffer.alloc(32_000, segmentOf(0))
    // 4 Mbit/s
    const timer = setInterval(() => response.write(piece), 64)
    response.write(piece)
    response.on('close', () => {
      clearInterval(timer)
      slow.closedAt = performance.now()
    })
  }

  const secretKey = randomBytes(32).toString('base64')
  const base = { SECRET_KEY: secretKey, PANEL_ALLOW_PRIVATE: 'true', PANEL_URL: panel.url }
  const limits = { RATE_LIMIT_FACTOR: '1000000', STREAM_MOST: '2000', STREAM_MEMORY: '3000' }
  const env = { ...base, ...limits, LOG_LEVEL: 'error', SEED: 'sample', ADMIN_PASSWORD: 'for-the-bench-only' }
  const start = (others: Record<string, string> = {}, nice?: number): Promise<RunningApp> =>
    runApp({ dataDir: data.path, env: { ...env, ...others }, core: serverCore, ...(nice && { nice }) })
  // The first start creates the sample data.
  await (await start()).stop()
  const config = readConfig({ DATA_DIR: data.path, ...env })
  const database = await openDatabase(config, pino({ level: 'warn' }), join(import.meta.dirname, '../../migrations'))
  const { db } = database
  const ids = await offerStreams(
    db,
    channelNames.map((name) => `${name}.1`),
  )
  const channels = Object.fromEntries(channelNames.map((name, n) => [name, ids[n]!])) as Record<ChannelName, number>
  const one = async (url: string, count: number) => (await storeViewers(db, config, url, { count })).flat()
  const viewers = await one(panel.url, viewerCount)
  const farViewers = await one(farPanel.url, 20)
  await database.close()
  const installation = {
    data,
    panel,
    near,
    farPanel,
    slow,
    channels,
    viewers,
    farViewers,
    app: await start(),
    /** Starts another process of the app on the same data and core, with a lower priority, as docs/operations.md says. */
    startAnother: () => start({}, 10),
    /** Stops the app and starts it with further variables. */
    restart: async (others: Record<string, string>) => {
      await installation.app.stop()
      installation.app = await start(others)
    },
    close: async () => {
      await installation.app.stop()
      farPanel.close()
      farBalancer.close()
      await panel.close()
      data.remove()
    },
  }
  return installation
}
