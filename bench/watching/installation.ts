// The app with viewers, and a panel double with several kinds of channels. Each viewer has one browser.
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
/** The size in bytes of a two-second segment at 4 Mbit/s. */
export const segmentBytes = 1_000_000
const segmentMs = 2_000
export const bigBytes = 4_000_000
export const bigSegments = 32
const viewerCount = 100

export const channelNames = ['near', 'slow', 'steady', 'big', 'wide', 'dark', 'news', 'direct'] as const
export type ChannelName = (typeof channelNames)[number]
export type Installation = Awaited<ReturnType<typeof createInstallation>>

/** A transport stream packet that every player ignores. It fills segments up to the size of a picture with more detail. */
const filler = Buffer.alloc(188, Buffer.from([0x47, 0x03, 0x00, 0x10, ...Buffer.alloc(184, 0xff)]))
const wide = (n: number): Buffer => {
  const stream = segmentOf(n)
  return Buffer.concat([stream, Buffer.alloc(Math.floor((segmentBytes - stream.length) / 188) * 188, filler)])
}

/** Sends a segment with a Content-Length, as panels do. */
const whole =
  (body: Buffer): StreamMode =>
  (response) =>
    response.writeHead(200, { 'content-type': 'video/mp2t', 'content-length': body.length }).end(body)

/** Sends a transport stream of 4 Mbit/s in pieces of a quarter of a second: the first 16 seconds immediately, the rest in real time. */
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

/** Returns the lines of a live playlist with six segments of 1 MB, to which one is added every two seconds. `prefix` is the base URL of the segments. */
export const steadyPlaylist = (prefix: string, now = Date.now()): string[] => {
  const first = Math.floor(now / segmentMs) - 6
  const segments = Array.from({ length: 6 }, (_, n) => [`#EXTINF:2,`, `${prefix}/steady/${(first + n) % 32}.ts`])
  return ['#EXTM3U', '#EXT-X-TARGETDURATION:2', `#EXT-X-MEDIA-SEQUENCE:${first}`, ...segments.flat()]
}

/** Starts the panel double and the app, and stores the channels and viewers. The app runs on `serverCore`. */
export async function createInstallation() {
  const data = dataFolder()
  const panel = await startFakePanel()
  const { streams } = panel
  const near = streams.balancer
  const farPanel = await atDistance(panel.url, panelRoundTripMs)
  const farBalancer = await atDistance(near, panelRoundTripMs)
  // Redirects of the channels `news` and `direct` lead to the distant load balancer.
  streams.balancer = farBalancer.url
  /** When the connection of the last request for the slow segment was closed, as `performance.now()`; 0 until then. */
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
  // This first start only creates the sample data.
  await (await start()).stop()
  const config = readConfig({ DATA_DIR: data.path, ...env })
  const database = await openDatabase(config, pino({ level: 'warn' }), join(import.meta.dirname, '../../migrations'))
  const { db } = database
  const ids = await offerStreams(
    db,
    channelNames.map((name) => `${name}.1`),
  )
  const channels = Object.fromEntries(channelNames.map((name, n) => [name, ids[n]!])) as Record<ChannelName, number>
  const storeAll = async (url: string, count: number) => (await storeViewers(db, config, url, { count })).flat()
  const viewers = await storeAll(panel.url, viewerCount)
  const farViewers = await storeAll(farPanel.url, 20)
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
    /** Starts another app process on the same data and core with a lower priority, as docs/operations.md recommends for streams. */
    startAnother: () => start({}, 10),
    /** Stops the app and starts it with additional environment variables. */
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
