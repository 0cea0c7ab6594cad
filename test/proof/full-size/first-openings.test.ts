// A channel that the panel has only as a transport stream is opened for the first time, in two processes of one machine and on two hosts of STREAM_URL. The
// app does not know yet that the panel has no HLS for the channel, so it requests HLS first.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { connect, type Database } from '#server/db/connect.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { serverFlags } from '../../../scripts/boot/node.js'
import { startFakePanel } from '../../harness/fake-panel.ts'
import { bytes } from '../../harness/fake-streams.ts'
import type { HttpUser } from '../../harness/http-user.ts'
import { type CountedChannel, countedChannel } from '../../harness/line-connections.ts'
import { dataFolder, freePort, type RunningApp, runApp } from '../../harness/running-app.ts'
import { silentLog } from '../../harness/silent-log.ts'
import { streamEnvironment } from '../../harness/stream-app.ts'
import { offerStreams, storeViewers } from '../../harness/watch-installation.ts'

/** Response time of the panel in milliseconds: longer than a channel change is delayed. */
const answerMs = 2_500
const data = dataFolder()
const env = streamEnvironment()
let panel: Awaited<ReturnType<typeof startFakePanel>>
let database: Database
let channels: { processes: number[]; hosts: number[] }
/** Lines have two connections. The panel has no HLS for these channels. */
const counted = {
  processes: countedChannel('closes_oldest', 2, { answerMs }),
  hosts: countedChannel('closes_oldest', 2, { answerMs: 1_000 }),
}
const running: RunningApp[] = []

/** Returns the environment variables of a process in which `os.hostname()` returns `name`. */
function onMachine(name: string): Record<string, string> {
  const script = `import os from 'node:os';import { syncBuiltinESMExports } from 'node:module';os.hostname=()=>'${name}';syncBuiltinESMExports()`
  return { NODE_OPTIONS: `${serverFlags.join(' ')} --import=data:text/javascript,${encodeURIComponent(script)}` }
}
async function start(others: Record<string, string> = {}, port?: number): Promise<RunningApp> {
  const app = await runApp({ dataDir: data.path, env: { ...env, ...others }, ...(port && { port }) })
  running.push(app)
  return app
}

beforeAll(async () => {
  panel = await startFakePanel()
  env.PANEL_URL = panel.url
  await start()
  const embedded = await startEmbedded({ dataDir: data.path, log: silentLog })
  database = connect(embedded.connection, { log: silentLog, connectTimeoutMs: 15_000 })
  for (const [name, { mode }] of Object.entries(counted)) {
    panel.streams.modes[`${name}.ts`] = mode
    panel.streams.modes[name] = bytes('<html>Missing</html>', 'text/html', 404)
  }
  const streamsOf = (name: string) => Array.from({ length: 10 }, (_, n) => `${name}.${n}`)
  const ids = await offerStreams(database.db, [...streamsOf('processes'), ...streamsOf('hosts')])
  channels = { processes: ids.slice(0, 10), hosts: ids.slice(10) }
}, 120_000)
afterAll(async () => {
  await database?.close()
  for (const app of running.toReversed()) await app.stop()
  await panel?.close()
  data.remove()
})

async function viewerWith(connections: number): Promise<HttpUser[]> {
  const config = readConfig({ DATA_DIR: data.path, ...env })
  const [browsers] = await storeViewers(database.db, config, panel.url, {
    count: 1,
    connections,
    browsers: connections,
  })
  return browsers!
}
async function open(device: HttpUser, url: string, channelId: number): Promise<{ status: number; address: string }> {
  const { status, body } = await device.send(url, 'POST', '/api/plays', { channelId })
  return { status, address: String(body.address) }
}
/** Returns the status of a play's playlist. `address` includes the host if STREAM_URL has several. */
const playlistStatus = async (device: HttpUser, url: string, address: string) => {
  const response = await fetch(new URL(address, url), {
    headers: { cookie: device.cookie() },
    signal: AbortSignal.timeout(20_000),
  })
  await response.arrayBuffer()
  return response.status
}
const seen = (channel: CountedChannel) => [channel.most(), channel.over()]

test('a channel that another process is opening for the first time is closed before the next channel is requested from the panel', {
  timeout: 120_000,
}, async () => {
  const [one, other] = [running[0]!, await start()]
  const [changing, watching] = (await viewerWith(2)) as [HttpUser, HttpUser]
  expect((await open(watching, one.url, channels.processes[0]!)).status).toBe(200)
  for (const [n, [at, next]] of [
    [one, other],
    [other, one],
  ].entries()) {
    const overtaken = open(changing, at!.url, channels.processes[1 + 2 * n]!)
    await sleep(1_300)
    expect((await open(changing, next!.url, channels.processes[2 + 2 * n]!)).status).toBe(200)
    await overtaken
    await sleep(1_300)
  }
  console.log(`two processes: ${counted.processes.over()} times over the limit`)
  expect(seen(counted.processes)).toEqual([2, 0])
})

test('with two hosts in STREAM_URL, the stream on the other host is closed before the next one is requested from the panel', {
  timeout: 180_000,
}, async () => {
  const ports = [await freePort(), await freePort()]
  const STREAM_URL = ports.map((port) => `http://localhost:${port}`).join()
  const hosts: RunningApp[] = []
  for (const [n, port] of ports.entries()) hosts.push(await start({ STREAM_URL, ...onMachine(`s${n}`) }, port))
  const [watched, ...others] = channels.hosts
  const [changing, watching] = (await viewerWith(2)) as [HttpUser, HttpUser]
  const first = await open(watching, hosts[0]!.url, watched!)
  expect(await playlistStatus(watching, hosts[0]!.url, first.address)).toBe(200)
  const tookMs: number[] = []
  for (const [n, channelId] of others.slice(0, 6).entries()) {
    const { url } = hosts[n % 2]!
    const began = performance.now()
    const opened = await open(changing, url, channelId)
    tookMs.push(Math.round(performance.now() - began))
    expect(opened.status).toBe(200)
    expect(await playlistStatus(changing, url, opened.address)).toBe(200)
    await sleep(1_100)
  }
  // Changes the channel twice: the second time while the first host is still opening the channel.
  const overtaken = open(changing, hosts[0]!.url, others[6]!)
  await sleep(1_100)
  const last = await open(changing, hosts[1]!.url, others[7]!)
  await overtaken
  expect(await playlistStatus(changing, hosts[1]!.url, last.address)).toBe(200)
  console.log(`two hosts: ${counted.hosts.over()} times over the limit, opened in ${tookMs.join(', ')} ms`)
  expect(seen(counted.hosts)).toEqual([2, 0])
})
