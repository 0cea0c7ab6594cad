// A crowd of viewers watches at 4 Mbit/s for ten minutes. Then all leave, half of them without ending their plays.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plays } from '#server/db/tables.ts'
import { keepToLoadCore, processCpuMs, proportionalMb, serverCore } from '../../../bench/processes.ts'
import { agent, endPlay, openChannel, percentile, watch } from '../../../bench/watching/viewing.ts'
import { startFakePanel } from '../../harness/fake-panel.ts'
import { playlist, segmentOf } from '../../harness/fake-streams.ts'
import type { HttpUser } from '../../harness/http-user.ts'
import { roundCount } from '../../harness/scale.ts'
import { type StreamApp, startStreamApp } from '../../harness/stream-app.ts'

/**
 * The app and its database share one core, the panel and the viewers another. With fewer than four cores no core remains for other work: then there are fewer
 * viewers, and times are not compared.
 */
const hasOwnCore = availableParallelism() >= 4
const count = roundCount('VIEWERS', { full: hasOwnCore ? 300 : 100 })
const seconds = roundCount('VIEWER_SECONDS', { full: 600 })
/** The maximum ratio of the segment times through the app to those directly from the panel, at the 95th percentile. */
const maxRatio = Number(process.env.VIEWER_RATIO ?? 1.5)
/** The maximum growth of the app's memory in MB: from after the first, short crowd to a minute after the last viewer left. */
const maxGrowthMb = 48
const segmentMs = 2_000
/** The panel sends a segment of 1 MB in this many pieces, one every 25 ms: at 40 Mbit/s, like a distant panel. */
const pieces = 8
const segments = Array.from({ length: 6 }, (_, n) => Buffer.alloc(1_000_000, segmentOf(n)))

let panel: Awaited<ReturnType<typeof startFakePanel>>
let installation: StreamApp

beforeAll(async () => {
  panel = await startFakePanel()
  const { streams } = panel
  for (let n = 0; n < 32; n++)
    streams.files[`/steady/${n}.ts`] = (response) => {
      const body = segments[n % segments.length]!
      const size = Math.ceil(body.length / pieces)
      response
        .writeHead(200, { 'content-type': 'video/mp2t', 'content-length': body.length })
        .write(body.subarray(0, size))
      let sent = 1
      const timer = setInterval(() => {
        response.write(body.subarray(sent * size, (sent + 1) * size))
        if (++sent < pieces) return
        clearInterval(timer)
        response.end()
      }, 25)
      response.on('close', () => clearInterval(timer))
    }
  const live = () => {
    const first = Math.floor(Date.now() / segmentMs) - 6
    const window = Array.from({ length: 6 }, (_, n) => [
      '#EXTINF:2,',
      `${streams.balancer}/steady/${(first + n) % 32}.ts`,
    ])
    return playlist('#EXTM3U', '#EXT-X-TARGETDURATION:2', `#EXT-X-MEDIA-SEQUENCE:${first}`, ...window.flat())
  }
  streams.modes.steady = (response, request) => live()(response, request)
  streams.files['/steady.m3u8'] = streams.modes.steady
  installation = await startStreamApp({
    panel,
    streams: ['steady.1'],
    core: serverCore,
    env: { STREAM_MOST: '2000' },
  })
  keepToLoadCore()
}, 120_000)
afterAll(async () => {
  agent.destroy()
  await installation?.close()
  await panel?.close()
})

/** Returns the number of connections of the app, the panel and its load balancer that are not closed on both sides. */
function sockets(): number {
  const ports = [installation.app.url, panel.url, panel.streams.balancer].map((url) => Number(new URL(url).port))
  const states = ['tcp', 'tcp6'].flatMap((file) =>
    readFileSync(`/proc/net/${file}`, 'utf8').trim().split('\n').slice(1),
  )
  return states.filter((line) => {
    const [, local = '', remote = '', state = ''] = line.trim().split(/\s+/)
    // Skips listening and closed sockets (TIME_WAIT): the kernel remembers a closed connection for a minute.
    if (state === '0A' || state === '06') return false
    return [local, remote].some((address) => ports.includes(Number.parseInt(address.split(':')[1]!, 16)))
  }).length
}

/** Watches `streams` for `ms` milliseconds. Returns the load time of each segment in milliseconds, and the number of failed requests. */
async function watchAll(streams: string[], ms: number): Promise<{ times: number[]; failures: number }> {
  const stop = new AbortController()
  const times: number[] = []
  const watching = streams.map((stream) => watch(stream, stop.signal, times))
  await sleep(ms)
  stop.abort()
  const failures = (await Promise.all(watching)).reduce((sum, failed) => sum + failed, 0)
  return { times, failures }
}
const direct = (ms: number) => watchAll(Array(count).fill(`${panel.streams.balancer}/steady.m3u8`), ms)

/** All viewers open the channel, watch, and leave: every second one ends the play, the others only disconnect. */
async function crowd(viewers: HttpUser[], ms: number) {
  const { url } = installation.app
  const opened: Awaited<ReturnType<typeof openChannel>>[] = []
  for (const viewer of viewers) opened.push(await openChannel(url, viewer, installation.channels[0]!))
  const watched = await watchAll(
    opened.map(({ stream }) => stream),
    ms,
  )
  for (const [n, viewer] of viewers.entries()) if (n % 2 === 0) await endPlay(url, viewer, opened[n]!.id)
  agent.destroy()
  return watched
}

const p95 = (times: number[]) => percentile(times, 0.95)
const settledMb = async (ms: number) => {
  await sleep(ms)
  return proportionalMb(installation.app.pid)
}

test(`${count} viewers for ${seconds} seconds: no error, and afterwards no open socket, no running play and no memory leak`, {
  timeout: 300_000 + count * 200 + seconds * 1_500,
}, async () => {
  const viewers = (await installation.viewers({ count })).flat()
  const directMs = Math.min(60_000, seconds * 100)
  const first = await crowd(viewers, directMs)
  const before = await settledMb(20_000)
  const alone = await direct(directMs)
  const spent = () => [processCpuMs(installation.app.pid), process.cpuUsage()] as const
  const [appBefore, ownBefore] = spent()
  const { times, failures } = await crowd(viewers, seconds * 1_000)
  const [appAfter] = spent()
  const own = process.cpuUsage(ownBefore)
  const cores = [(appAfter - appBefore) / 1_000, (own.user + own.system) / 1e6].map((cpu) => (cpu / seconds).toFixed(2))
  const most = proportionalMb(installation.app.pid)
  const again = await direct(directMs)
  agent.destroy()
  const after = await settledMb(60_000)
  const upstream = p95([...alone.times, ...again.times])
  const gigabits = (times.length * 8 * segments[0]!.length) / 1e9 / seconds
  console.log(
    [
      `${times.length} segments, ${gigabits.toFixed(2)} Gbit/s, ${first.failures + failures} failures`,
      `p50 ${percentile(times, 0.5).toFixed(0)} ms, p95 ${p95(times).toFixed(0)} ms`,
      `from the panel p50 ${percentile([...alone.times, ...again.times], 0.5).toFixed(0)} ms, p95 ${upstream.toFixed(0)} ms`,
      `cores used by the app ${cores[0]}, by panel and viewers ${cores[1]}`,
      `memory ${before.toFixed(0)} MB, at the end ${most.toFixed(0)} MB, afterwards ${after.toFixed(0)} MB`,
    ].join('; '),
  )
  if (failures > 0) console.log(installation.app.output())
  expect.soft([alone, again, first, { failures }].map((each) => each.failures)).toEqual([0, 0, 0, 0])
  expect.soft([sockets(), panel.streams.open()]).toEqual([0, 0])
  const [running] = await installation.db
    .select({ count: sql<number>`count(*)::int` })
    .from(plays)
    .where(sql`${plays.endedAt} is null and ${plays.seenAt} > now() - interval '40 seconds'`)
  expect.soft(running?.count).toBe(0)
  expect.soft(after - before).toBeLessThan(maxGrowthMb)
  if (hasOwnCore) expect.soft(p95(times) / upstream).toBeLessThan(maxRatio)
})
