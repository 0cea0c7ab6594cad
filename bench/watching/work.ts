import { setTimeout as sleep } from 'node:timers/promises'
import { nginx, startNginx } from '../../test/harness/nginx.ts'
import { cpuMillis, cpuMs, mix, proportionalMb, serverCore } from '../processes.ts'
import { inParallel } from '../trade.ts'
import { bigBytes, type Installation, panelRoundTripMs } from './installation.ts'
import { addressesIn, callOnce, endPlay, maximum, openChannel, percentile, readAll, request, watch } from './viewing.ts'

export type Row = { what: string; value: number; unit: string; most?: number }
export type Note = (row: Row) => void

const opens = Number(process.env.BENCH_OPENS ?? 300)
const stops = 20
const gigabytes = Number(process.env.BENCH_GIGABYTES ?? 2)
const rounds = Number(process.env.BENCH_ROUNDS ?? 4)
const roundSeconds = 8

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** The time of POST /api/plays, with a panel that answers immediately and with one that cannot be reached. */
export async function opening({ app, data, viewers, farViewers, farPanel, channels }: Installation, note: Note) {
  const measure = async (list: typeof viewers, channelId: number, count: number) => {
    const times: number[] = []
    for (let n = 0; n < count; n++)
      times.push(await timed(() => openChannel(app.url, list[n % list.length]!, channelId)))
    // V8 optimizes hot code in several stages.
    return times.slice(Math.floor(count / 4))
  }
  await measure(viewers, channels.near, opens)
  const spent = cpuMs(app.pid, data.path)
  const near = await measure(viewers, channels.near, opens)
  note({ what: 'opening a play, processor time', value: (cpuMs(app.pid, data.path) - spent) / opens, unit: 'ms CPU' })
  note({ what: 'opening a play, panel on this machine, p50', value: percentile(near, 0.5), unit: 'ms' })
  note({ what: 'opening a play, panel on this machine, p95', value: percentile(near, 0.95), unit: 'ms', most: 30 })
  const panel: number[] = []
  for (let n = 0; n < 40; n++) panel.push(await timed(() => callOnce(`${farPanel.url}/live/line/x/1.m3u8`)))
  // The channel is a redirect to the load balancer: two calls, each with a connection of its own.
  const calls = 2 * percentile(panel, 0.5)
  const far = await measure(farViewers, channels.news, Math.ceil(opens / 3))
  note({ what: `two calls to a panel ${panelRoundTripMs} ms away`, value: calls, unit: 'ms' })
  note({
    what: `opening a play, panel ${panelRoundTripMs} ms away, p95`,
    value: percentile(far, 0.95),
    unit: 'ms',
    most: calls + 50,
  })
}

/** How long the panel still sends after the viewer left, and after the play was ended from another page. */
export async function stopping({ app, viewers, channels, slow }: Installation, note: Note) {
  const times = { left: [] as number[], ended: [] as number[] }
  for (let n = 0; n < 2 * stops; n++) {
    const viewer = viewers[n % viewers.length]!
    const { id, stream } = await openChannel(app.url, viewer, channels.slow)
    const response = await request((await addressesIn(stream))[0]!)
    response.on('error', () => undefined).resume()
    // Ends are noticed at fixed times, so they happen at random ones.
    await sleep(200 + Math.random() * 1_000)
    slow.closedAt = 0
    const started = performance.now()
    if (n < stops) response.destroy()
    else await endPlay(app.url, viewer, id)
    while (slow.closedAt === 0 && performance.now() - started < 10_000) await sleep(2)
    times[n < stops ? 'left' : 'ended'].push((slow.closedAt || Number.POSITIVE_INFINITY) - started)
    response.destroy()
  }
  note({
    what: `a viewer left, until the panel is closed, maximum of ${stops}`,
    value: maximum(times.left),
    unit: 'ms',
    most: 250,
  })
  note({
    what: `a play was ended, until the panel is closed, maximum of ${stops}`,
    value: maximum(times.ended),
    unit: 'ms',
    most: 1_000,
  })
}

/** The memory of the app for each viewer: of segments that are passed through, and of a transport stream that it cuts. */
export async function memory(installation: Installation, note: Note) {
  const { viewers, channels } = installation
  let { app } = installation
  const measured = async (seconds: number) => {
    const values: number[] = []
    for (let n = 0; n < seconds; n++) {
      values.push(proportionalMb(app.pid))
      await sleep(1_000)
    }
    return percentile(values, 0.5)
  }
  const before = await measured(5)
  const through = await inParallel(viewers, async (viewer) => {
    const { stream } = await openChannel(app.url, viewer, channels.slow)
    const response = await request((await addressesIn(stream))[0]!)
    return response.on('error', () => undefined).resume()
  })
  await sleep(3_000)
  note({
    what: `memory of one of ${through.length} viewers, passed through`,
    value: ((await measured(10)) - before) / through.length,
    unit: 'MB',
    most: 0.4,
  })
  for (const response of through) response.destroy()
  // The heap has grown: only a new process shows what the next viewers add.
  await installation.restart({})
  app = installation.app
  const cut = viewers.slice(0, 20)
  const empty = await measured(5)
  const stop = new AbortController()
  const plays = await inParallel(cut, (viewer) => openChannel(app.url, viewer, channels.wide))
  const watching = plays.map(({ stream }) => watch(stream, stop.signal))
  await sleep(40_000)
  note({
    what: `memory of one of ${cut.length} viewers, cut here at 4 Mbit/s`,
    value: ((await measured(10)) - empty) / cut.length,
    unit: 'MB',
    most: 6,
  })
  stop.abort()
  const failures = (await Promise.all(watching)).reduce((sum, count) => sum + count, 0)
  note({ what: 'failed requests of them', value: failures, unit: '', most: 0 })
  await inParallel(cut, (viewer) => openChannel(app.url, viewer, channels.near))
}

/** Processor seconds for a gigabyte of segments of 4 MB: through the app, and through nginx with the app's share. */
export async function cost(installation: Installation, note: Note) {
  const { viewers, channels, data } = installation
  const perGigabyte = async (front: string, pids: number[]) => {
    const { url } = installation.app
    const each = Math.ceil((gigabytes * 1e9) / bigBytes / viewers.length)
    const spent = () => pids.reduce((sum, pid) => sum + cpuMillis(pid), 0)
    const plays = await inParallel(viewers, async (viewer) => {
      const addresses = await addressesIn((await openChannel(url, viewer, channels.big)).stream)
      return addresses.slice(0, each).map((address) => front + new URL(address).pathname)
    })
    const [before, started] = [spent(), performance.now()]
    const bytes = await inParallel(plays, async (addresses) => {
      let sum = 0
      for (const address of addresses) sum += await readAll(address)
      return sum
    })
    const total = bytes.reduce((sum, count) => sum + count, 0) / 1e9
    const seconds = (performance.now() - started) / 1_000
    return { cpu: (spent() - before) / 1_000 / total, rate: (total * 8) / seconds, total }
  }
  await perGigabyte(installation.app.url, [installation.app.pid])
  const node = await perGigabyte(installation.app.url, [installation.app.pid])
  note({
    what: `relaying ${node.total.toFixed(1)} GB through the app, processor time of 1 GB`,
    value: node.cpu,
    unit: 's',
    most: 2.5,
  })
  note({ what: 'its rate', value: node.rate, unit: 'Gbit/s' })
  if (!nginx) return console.log('nginx is not installed: the offload is not measured')
  await installation.restart({ STREAM_OFFLOAD: 'nginx' })
  const { app } = installation
  const front = await startNginx(data.path, Number(new URL(app.url).port), { core: serverCore })
  await perGigabyte(front.url, [app.pid, front.pid])
  const both = await perGigabyte(front.url, [app.pid, front.pid])
  const share = await perGigabyte(front.url, [app.pid])
  note({ what: `the same through nginx and the app, processor time of 1 GB`, value: both.cpu, unit: 's', most: 1 })
  note({ what: 'of that the app', value: share.cpu, unit: 's', most: 0.2 })
  note({ what: 'nginx compared with the app', value: both.cpu / node.cpu, unit: 'x', most: 0.8 })
  front.stop()
  await installation.restart({})
}

/**
 * Other requests while all viewers watch at 4 Mbit/s. In alternating rounds, there are no viewers, and they read directly from the panel double, because
 * they use the core of the load generator, from the app, and from a second process of the app, as with STREAM_URL.
 */
export async function measureOtherRequests(
  { app, startAnother, viewers, channels, panel, near }: Installation,
  note: Note,
) {
  const { host, port } = new URL(app.url)
  const get = (path: string, cookie: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`
  const requests = viewers
    .slice(0, 20)
    .flatMap((viewer) => ['/api/user', '/api/plans', '/api/watchlist'].map((path) => get(path, viewer.cookie())))
  const kinds = [{ name: 'others', perSecond: 60, connections: 8, requests }]
  panel.streams.files['/steady.m3u8'] = panel.streams.modes.steady!
  const streamProcess = await startAnother()
  const origins = { app: app.url, apart: streamProcess.url }
  const times = { none: [] as number[], panel: [] as number[], app: [] as number[], apart: [] as number[] }
  let failures = 0
  // The first round only warms up: it does not count.
  for (let round = -1; round < rounds; round++)
    for (const kind of ['none', 'panel', 'app', 'apart'] as const) {
      const stop = new AbortController()
      const streams = await inParallel(kind === 'none' ? [] : viewers, async (viewer) => {
        if (kind === 'panel') return `${near}/steady.m3u8`
        const { stream } = await openChannel(app.url, viewer, channels.steady)
        return origins[kind === 'apart' ? 'apart' : 'app'] + new URL(stream).pathname
      })
      const watching = streams.map((stream) => watch(stream, stop.signal))
      await sleep(3_000)
      const { statuses } = (await mix({ port: Number(port), seconds: roundSeconds, kinds })).others!
      if (round >= 0) times[kind].push(statuses[200]!.p95)
      stop.abort()
      failures += (await Promise.all(watching)).reduce((sum, count) => sum + count, 0)
    }
  await streamProcess.stop()
  const p95 = (kind: keyof typeof times) => percentile(times[kind], 0.5)
  const [alone, control] = [p95('none'), p95('panel')]
  const what = `other requests beside ${viewers.length} plays`
  note({ what: 'other requests without viewers, p95', value: alone, unit: 'ms' })
  note({ what: `other requests beside ${viewers.length} viewers of the panel itself, p95`, value: control, unit: 'ms' })
  note({ what: 'the same, compared with no viewers', value: control / alone, unit: 'x' })
  for (const [kind, where] of [
    ['app', ''],
    ['apart', ' in a process of their own'],
  ] as const) {
    note({ what: `${what}${where}, p95`, value: p95(kind), unit: 'ms' })
    note({
      what: `${what}${where}, compared with viewers of the panel`,
      value: p95(kind) / control,
      unit: 'x',
      most: 1.3,
    })
    note({ what: `${what}${where}, compared with no viewers`, value: p95(kind) / alone, unit: 'x' })
  }
  note({ what: 'failed requests of the viewers', value: failures, unit: '', most: 0 })
}
