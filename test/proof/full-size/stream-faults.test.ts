// Forty stream faults occur repeatedly in one app process. Each request gets a response with a reason, and memory use returns to its earlier level.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reasonNames } from '#features/watch/rules.ts'
import { serverFlags } from '../../../scripts/boot/node.js'
import { startFakePanel } from '../../harness/fake-panel.ts'
import { bytes } from '../../harness/fake-streams.ts'
import type { HttpUser } from '../../harness/http-user.ts'
import { type MemoryInUse, memoryInUse } from '../../harness/process-memory.ts'
import { freePort } from '../../harness/running-app.ts'
import { roundCount } from '../../harness/scale.ts'
import { type StreamApp, startStreamApp } from '../../harness/stream-app.ts'
import { channelFaults, lateSegmentFaults, media, segmentFaults, transportFaults } from '../../harness/stream-faults.ts'

/** The number of rounds before the first memory measurement, in which code is compiled and caches fill. */
const warmUpRounds = 5
const rounds = roundCount('FAULT_ROUNDS', { full: 20 })
const concurrency = 6
/** The maximum growth of used memory after the warm-up rounds, in MB. A leak of one 64 KiB stream buffer per fault would be 50 MB. */
const maxUsedGrowthMb = 12
const maxResidentGrowthMb = 48
/** How much of a segment a viewer reads before leaving, in bytes. */
const readBytes = 256 * 1024

let panel: Awaited<ReturnType<typeof startFakePanel>>
let installation: StreamApp
let inspector: number
let faults: { name: string; channelId: number }[]
let viewers: HttpUser[]

beforeAll(async () => {
  panel = await startFakePanel()
  const { modes, files, balancer } = panel.streams
  const names: string[] = []
  const add = (name: string) => `fault${names.push(name) - 1}`
  const missing = bytes('<html>Missing</html>', 'text/html', 404)
  for (const [name, , mode] of channelFaults) modes[add(name)] = mode
  for (const [name, mode] of [...segmentFaults, ...lateSegmentFaults]) {
    const id = add(`segment: ${name}`)
    files[`/${id}.ts`] = mode
    modes[id] = media(`${balancer}/${id}.ts`)
  }
  for (const [name, mode] of transportFaults) {
    const id = add(`transport stream: ${name}`)
    modes[id] = missing
    modes[`${id}.ts`] = mode
  }
  inspector = await freePort()
  installation = await startStreamApp({
    panel,
    streams: names.map((_, n) => `fault${n}.1`),
    env: { NODE_OPTIONS: [...serverFlags, `--inspect=127.0.0.1:${inspector}`].join(' '), LOG_LEVEL: 'error' },
  })
  faults = names.map((name, n) => ({ name, channelId: installation.channels[n]! }))
  // One viewer for each fault, so that no channel change is delayed.
  viewers = (await installation.viewers({ count: faults.length })).flat()
}, 120_000)
afterAll(async () => {
  await installation?.close()
  await panel?.close()
})

type Answer = { status: number; code: string }
const codeIn = (text: string): string => {
  try {
    return (JSON.parse(text) as Answer).code
  } catch {
    return text.slice(0, 80)
  }
}
/** Requests a stream address, reads up to `readBytes` of the response and disconnects. */
async function read(path: string): Promise<Answer & { text: string }> {
  const response = await fetch(installation.app.url + path, { signal: AbortSignal.timeout(20_000) })
  const chunks: Uint8Array[] = []
  try {
    let length = 0
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= readBytes) break
    }
  } catch {
    // The stream was cut off.
  }
  const text = Buffer.concat(chunks).toString('latin1')
  return { status: response.status, code: response.ok ? '' : codeIn(text), text }
}

/** Opens a channel and reads its playlist and segments, as a player does. Returns the responses of the app. */
async function play(viewer: HttpUser, channelId: number): Promise<Answer[]> {
  const { url } = installation.app
  const opened = await viewer.send(url, 'POST', '/api/plays', { channelId })
  if (opened.status !== 200) return [{ status: opened.status, code: String(opened.body.code) }]
  const answers: Answer[] = []
  for (let n = 0; n < 3; n++) {
    const playlist = await read(String(opened.body.address))
    answers.push(playlist)
    for (const segment of (playlist.text.match(/\/stream\/\S+/g) ?? []).slice(-2)) answers.push(await read(segment))
    if (answers.at(-1)!.status !== 200) break
  }
  const headers = { origin: url, cookie: viewer.cookie(), 'content-type': 'application/json' }
  await fetch(`${url}/api/plays/${String(opened.body.id)}`, { method: 'DELETE', headers, body: '{}' })
  return answers
}

const unexplained: string[] = []
/** Causes every fault `times` times. */
async function repeat(times: number): Promise<void> {
  const known = new Set<string>(['', 'not_found', ...reasonNames])
  for (let round = 0; round < times; round++) {
    const waiting = [...faults.entries()]
    const work = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const [n, { name, channelId }] = next
        const answers = await play(viewers[(n + round) % viewers.length]!, channelId)
        for (const { status, code } of answers)
          if (!known.has(code) || (status >= 500 && status !== 503 && status !== 504))
            unexplained.push(`${name}: ${status} ${code}`)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  }
}
async function settled(): Promise<MemoryInUse & { open: number }> {
  await sleep(2_000)
  return { open: panel.streams.open(), ...(await memoryInUse(inspector)) }
}

test(`forty faults, ${rounds} times each: no unexplained error, no open stream after two seconds, and no memory leak`, {
  timeout: 300_000 + rounds * 40_000,
}, async () => {
  expect(faults).toHaveLength(40)
  await repeat(warmUpRounds)
  const before = await settled()
  await repeat(rounds)
  const after = await settled()
  const words = ({ usedMb, residentMb }: MemoryInUse) => `${usedMb.toFixed(1)} (${residentMb.toFixed(0)})`
  console.log(`${faults.length * rounds} faults: MB in use (resident) ${words(before)}, then ${words(after)}`)
  expect.soft(unexplained).toEqual([])
  expect.soft([before.open, after.open]).toEqual([0, 0])
  expect.soft(after.usedMb - before.usedMb).toBeLessThan(maxUsedGrowthMb)
  expect.soft(after.residentMb - before.residentMb).toBeLessThan(maxResidentGrowthMb)
})
