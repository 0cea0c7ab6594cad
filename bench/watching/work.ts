import { setTimeout as sleep } from 'node:timers/promises'
import { nginx, startNginx } from '../../test/harness/nginx.ts'
import { appAndDatabaseCpuMs, mix, processCpuMs, proportionalMb, serverCore } from '../processes.ts'
import { inParallel } from '../trade.ts'
import { bigBytes, type Installation, panelRoundTripMs } from './installation.ts'
import { addressesIn, callOnce, endPlay, maximum, openChannel, percentile, readAll, request, watch } from './viewing.ts'

/** One measured value; `max` is the goal: the highest value that is allowed. */
export type Row = { what: string; value: number; unit: string; max?: number }
/** Adds a row to the results and prints it. */
export type AddRow = (row: Row) => void

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

/** Measures how long POST /api/plays takes, with a panel on this machine and with one that is `panelRoundTripMs` away. */
export async function measureOpening(
  { app, data, viewers, farViewers, farPanel, channels }: Installation,
  addRow: AddRow,
) {
  const measure = async (list: typeof viewers, channelId: number, count: number) => {
    const times: number[] = []
    for (let n = 0; n < count; n++)
      times.push(await timed(() => openChannel(app.url, list[n % list.length]!, channelId)))
    // The first quarter is the warm-up, because V8 optimizes hot code in several stages.
    return times.slice(Math.floor(count / 4))
  }
  await measure(viewers, channels.near, opens)
  const spent = appAndDatabaseCpuMs(app.pid, data.path)
  const near = await measure(viewers, channels.near, opens)
  addRow({
    what: 'opening a play, processor time',
    value: (appAndDatabaseCpuMs(app.pid, data.path) - spent) / opens,
    unit: 'ms CPU',
  })
  addRow({ what: 'opening a play, panel on this machine, p50', value: percentile(near, 0.5), unit: 'ms' })
  addRow({ what: 'opening a play, panel on this machine, p95', value: percentile(near, 0.95), unit: 'ms', max: 30 })
  const panel: number[] = []
  for (let n = 0; n < 40; n++) panel.push(await timed(() => callOnce(`${farPanel.url}/live/line/x/1.m3u8`)))
  // The panel redirects this channel to the load balancer: the app makes two calls, each on a new connection.
  const calls = 2 * percentile(panel, 0.5)
  const far = await measure(farViewers, channels.news, Math.ceil(opens / 3))
  addRow({ what: `two calls to a panel ${panelRoundTripMs} ms away`, value: calls, unit: 'ms' })
  addRow({
    what: `opening a play, panel ${panelRoundTripMs} ms away, p95`,
    value: percentile(far, 0.95),
    unit: 'ms',
    max: calls + 50,
  })
}

/** Measures how long the panel double keeps sending after a viewer disconnected, and after the play was ended by a request. */
export async function measureStopping({ app, viewers, channels, slow }: Installation, addRow: AddRow) {
  const times = { left: [] as number[], ended: [] as number[] }
  for (let n = 0; n < 2 * stops; n++) {
    const viewer = viewers[n % viewers.length]!
    const { id, stream } = await openChannel(app.url, viewer, channels.slow)
    const response = await request((await addressesIn(stream))[0]!)
    response.on('error', () => undefined).resume()
    // The app looks for ended plays at fixed intervals, so the test ends them at random times.
    await sleep(200 + Math.random() * 1_000)
    slow.closedAt = 0
    const started = performance.now()
    if (n < stops) response.destroy()
    else await endPlay(app.url, viewer, id)
    while (slow.closedAt === 0 && performance.now() - started < 10_000) await sleep(2)
    times[n < stops ? 'left' : 'ended'].push((slow.closedAt || Number.POSITIVE_INFINITY) - started)
    response.destroy()
  }
  addRow({
    what: `a viewer disconnects, until the app closes the panel connection, max. of ${stops}`,
    value: maximum(times.left),
    unit: 'ms',
    max: 250,
  })
  addRow({
    what: `a play is ended, until the app closes the panel connection, max. of ${stops}`,
    value: maximum(times.ended),
    unit: 'ms',
    max: 1_000,
  })
}

/** Measures the memory that the app uses for each viewer: of relayed segments, and of a transport stream that the app cuts into segments. */
export async function measureMemory(installation: Installation, addRow: AddRow) {
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
  addRow({
    what: `memory per viewer, relayed segments, ${through.length} viewers`,
    value: ((await measured(10)) - before) / through.length,
    unit: 'MB',
    max: 0.4,
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
  addRow({
    what: `memory per viewer, transport stream of 4 Mbit/s, ${cut.length} viewers`,
    value: ((await measured(10)) - empty) / cut.length,
    unit: 'MB',
    max: 6,
  })
  stop.abort()
  const failures = (await Promise.all(watching)).reduce((sum, count) => sum + count, 0)
  addRow({ what: 'failed requests of the viewers of the transport stream', value: failures, unit: '', max: 0 })
  await inParallel(cut, (viewer) => openChannel(app.url, viewer, channels.near))
}

/** Measures the CPU seconds that it takes to relay a gigabyte in segments of 4 MB: through the app, and through nginx and the app, with the app's share. */
export async function measureRelay(installation: Installation, addRow: AddRow) {
  const { viewers, channels, data } = installation
  const perGigabyte = async (front: string, pids: number[]) => {
    const { url } = installation.app
    const each = Math.ceil((gigabytes * 1e9) / bigBytes / viewers.length)
    const spent = () => pids.reduce((sum, pid) => sum + processCpuMs(pid), 0)
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
  addRow({
    what: `relaying ${node.total.toFixed(1)} GB through the app, processor time of 1 GB`,
    value: node.cpu,
    unit: 's',
    max: 2.5,
  })
  addRow({ what: 'rate of the relay through the app', value: node.rate, unit: 'Gbit/s' })
  if (!nginx) return console.log('nginx is not installed: the offload to nginx is not measured')
  await installation.restart({ STREAM_OFFLOAD: 'nginx' })
  const { app } = installation
  const front = await startNginx(data.path, Number(new URL(app.url).port), { core: serverCore })
  await perGigabyte(front.url, [app.pid, front.pid])
  const both = await perGigabyte(front.url, [app.pid, front.pid])
  const share = await perGigabyte(front.url, [app.pid])
  addRow({ what: 'relaying through nginx and the app, processor time of 1 GB', value: both.cpu, unit: 's', max: 1 })
  addRow({ what: 'relaying through nginx, processor time of the app for 1 GB', value: share.cpu, unit: 's', max: 0.2 })
  addRow({
    what: 'processor time with nginx, relative to the app alone',
    value: both.cpu / node.cpu,
    unit: 'x',
    max: 0.8,
  })
  front.stop()
  await installation.restart({})
}

/**
 * Measures other requests while all viewers watch at 4 Mbit/s, in alternating rounds: without viewers, with viewers who read directly from the panel double,
 * from the app, and from a second app process, as with STREAM_URL. The rounds with the panel double show what the viewers themselves cost, because they run on
 * the core of the load generator.
 */
export async function measureOtherRequests(
  { app, startAnother, viewers, channels, panel, near }: Installation,
  addRow: AddRow,
) {
  const { host, port } = new URL(app.url)
  const get = (path: string, cookie: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`
  const requests = viewers
    .slice(0, 20)
    .flatMap((viewer) => ['/api/user', '/api/plans', '/api/watchlist'].map((path) => get(path, viewer.cookie())))
  const kinds = [{ name: 'others', perSecond: 60, connections: 8, requests }]
  panel.streams.files['/steady.m3u8'] = panel.streams.modes.steady!
  const streamProcess = await startAnother()
  const origins = { app: app.url, secondProcess: streamProcess.url }
  const times = { none: [] as number[], panel: [] as number[], app: [] as number[], secondProcess: [] as number[] }
  let failures = 0
  // The first round is a warm-up and does not count.
  for (let round = -1; round < rounds; round++)
    for (const kind of ['none', 'panel', 'app', 'secondProcess'] as const) {
      const stop = new AbortController()
      const streams = await inParallel(kind === 'none' ? [] : viewers, async (viewer) => {
        if (kind === 'panel') return `${near}/steady.m3u8`
        const { stream } = await openChannel(app.url, viewer, channels.steady)
        return origins[kind === 'secondProcess' ? 'secondProcess' : 'app'] + new URL(stream).pathname
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
  const what = `other requests, ${viewers.length} viewers`
  addRow({ what: 'other requests without viewers, p95', value: alone, unit: 'ms' })
  addRow({ what: `other requests, ${viewers.length} viewers at the panel itself, p95`, value: control, unit: 'ms' })
  addRow({
    what: `other requests, ${viewers.length} viewers at the panel itself, relative to no viewers`,
    value: control / alone,
    unit: 'x',
  })
  for (const [kind, where] of [
    ['app', ''],
    ['secondProcess', ' in a process of their own'],
  ] as const) {
    addRow({ what: `${what}${where}, p95`, value: p95(kind), unit: 'ms' })
    addRow({
      what: `${what}${where}, relative to viewers at the panel`,
      value: p95(kind) / control,
      unit: 'x',
      max: 1.3,
    })
    addRow({ what: `${what}${where}, relative to no viewers`, value: p95(kind) / alone, unit: 'x' })
  }
  addRow({ what: 'failed requests of the viewers in all rounds', value: failures, unit: '', max: 0 })
}
