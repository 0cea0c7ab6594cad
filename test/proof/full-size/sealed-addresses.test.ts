// Sends stream addresses that were changed or that belong to another play or an earlier channel to a running app. The refusals are indistinguishable.
import { randomUUID } from 'node:crypto'
import { Agent, get } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressSealer, openAddress, type StreamTarget } from '#features/watch/server/relay/sealed-address.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { startFakePanel } from '../../harness/fake-panel.ts'
import { bytes, transport } from '../../harness/fake-streams.ts'
import type { HttpUser } from '../../harness/http-user.ts'
import { nginx, startNginx } from '../../harness/nginx.ts'
import { dataFolder } from '../../harness/running-app.ts'
import { roundCount } from '../../harness/scale.ts'
import { type StreamApp, startStreamApp } from '../../harness/stream-app.ts'

const changes = roundCount('CHANGED_BITS', { full: 10_000 })
const samples = roundCount('TIMING_SAMPLES', { full: 2_000 })
/** The maximum difference between the median times of two kinds of refusals, in milliseconds. */
const maxDifferenceMs = 1

let panel: Awaited<ReturnType<typeof startFakePanel>>
let installation: StreamApp
/** Where requests are sent: the origin of the app, or of nginx in front of it. */
let origin: string
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

afterAll(() => agent.destroy())

/** Headers that differ between otherwise identical responses. nginx closes a connection after 1,000 requests. */
const changing = ['date', 'x-request-id', 'connection']
type Answer = { status: number; headers: string; body: string; ms: number }
/** Sends a GET on the single keep-alive connection, with the session of a viewer. */
const ask = (path: string, viewer: HttpUser): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    get(origin + path, { agent, headers: { cookie: viewer.cookie() } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const names = Object.entries(response.headers).filter(([name]) => !changing.includes(name))
        resolve({
          status: response.statusCode!,
          headers: JSON.stringify(names),
          body: Buffer.concat(chunks).toString(),
          ms: performance.now() - started,
        })
      })
    }).on('error', reject)
  })

async function open(viewer: HttpUser, channel: number): Promise<{ id: string; addresses: string[] }> {
  const { status, body } = await viewer.send(installation.app.url, 'POST', '/api/plays', { channelId: channel })
  expect(status).toBe(200)
  const address = String(body.address)
  const text = (await ask(address, viewer)).body
  return { id: String(body.id), addresses: [address, ...(text.match(/\/stream\/\S+/g) ?? [])] }
}

/** Returns all addresses whose sealed part differs from that of `address` in one bit. */
function changedBits(address: string): string[] {
  const [, head = '', text = '', extension = ''] = /^(.*\/)([\w-]+)(\.\w+)$/.exec(address) ?? []
  const sealed = Buffer.from(text, 'base64url')
  return Array.from({ length: sealed.length * 8 }, (_, bit) => {
    const changed = Buffer.from(sealed)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    return head + changed.toString('base64url') + extension
  })
}

// The tests with nginx need Debian's package `nginx` (or `nginx-light`).
describe.each(nginx ? ['the app', 'nginx in front of the app'] : ['the app'])('requests to %s', (asked) => {
  const data = dataFolder()
  let front: Awaited<ReturnType<typeof startNginx>> | undefined
  beforeAll(async () => {
    panel = await startFakePanel()
    panel.streams.modes['tape.ts'] = transport()
    panel.streams.modes.tape = bytes('<html>Missing</html>', 'text/html', 404)
    const env: Record<string, string> = asked === 'the app' ? {} : { STREAM_OFFLOAD: 'nginx', TRUST_PROXY: '1' }
    installation = await startStreamApp({ panel, streams: ['direct.1', 'news.1', 'tape.1'], env })
    origin = installation.app.url
    if (asked === 'the app') return
    front = await startNginx(data.path, Number(new URL(origin).port))
    origin = front.url
  }, 120_000)
  afterAll(async () => {
    front?.stop()
    await installation?.close()
    await panel?.close()
    data.remove()
  })

  test(`for changed, foreign, earlier and expired addresses get the same 404 equally fast (${changes} changed bits)`, {
    timeout: 120_000 + changes * 20 + samples * 200,
  }, async () => {
    const viewers = (await installation.viewers({ count: 8 })).flat()
    const [viewer, stranger] = viewers as [HttpUser, HttpUser]
    const [direct, news, tape] = installation.channels as [number, number, number]
    const key = secretKey(installation.config)
    const targetOf = (id: string, address: string): StreamTarget =>
      openAddress(key, id, address.split('/').at(-1)!, Date.now())!

    const older = await open(viewer, direct)
    const current = await open(viewer, news)
    const others = await open(stranger, direct)
    const plays = [current, others]
    for (const [n, each] of viewers.slice(2).entries()) plays.push(await open(each, [tape, news, direct][n % 3]!))
    expect(older.id).toBe(current.id)
    const past = current.addresses.map((address) => {
      const target = targetOf(current.id, address)
      expect(target.generation).toBe(2)
      return addressSealer(key, current.id)({ ...target, endsAt: Date.now() - 60_000 })
    })
    const missing = current.addresses.map((address) => address.replace(current.id, randomUUID()))
    const foreign = current.addresses.map((address) => address.replace(current.id, others.id))
    // An address of the current channel works unchanged.
    expect((await ask(current.addresses.at(-1)!, viewer)).status).toBe(200)

    const changed = plays.flatMap(({ addresses }) => addresses).flatMap(changedBits)
    expect(changed.length).toBeGreaterThanOrEqual(changes)
    const step = changed.length / changes
    const sent = Array.from({ length: changes }, (_, n) => changed[Math.floor(n * step)]!)
    const before = panel.streams.requests.length
    const seen = new Map<string, number>()
    const note = ({ status, headers, body }: Answer) => {
      const what = `${status} ${headers} ${body}`
      seen.set(what, (seen.get(what) ?? 0) + 1)
    }
    for (const path of sent) note(await ask(path, viewer))
    for (const path of [...older.addresses, ...past, ...missing, ...foreign]) {
      note(await ask(path, viewer))
      note(await ask(path, stranger))
    }
    expect([...seen.keys()]).toEqual([expect.stringMatching(/^404 .*"not_found"/)])
    expect(panel.streams.requests.slice(before).filter((path) => !path.includes('/tape'))).toEqual([])

    const kinds = { changed: sent, older: older.addresses, past, missing, foreign }
    const names = Object.keys(kinds) as (keyof typeof kinds)[]
    const times = new Map(names.map((name) => [name, [] as number[]]))
    for (let sample = -100; sample < samples; sample++)
      for (let at = 0; at < names.length; at++) {
        // The order changes, so that other work on the machine affects all kinds equally.
        const name = names[(at + sample + 100) % names.length]!
        const paths = kinds[name]
        const { ms } = await ask(paths[(sample + 100) % paths.length]!, viewer)
        if (sample >= 0) times.get(name)!.push(ms)
      }
    const medians = names.map((name) => times.get(name)!.toSorted((a, b) => a - b)[Math.floor(samples / 2)]!)
    console.log(names.map((name, n) => `${name} ${medians[n]!.toFixed(3)} ms`).join(', '))
    expect(Math.max(...medians) - Math.min(...medians)).toBeLessThan(maxDifferenceMs)
  })

  test('for any address of an ended play get the same response with the reason, and the panel gets no request', async () => {
    const [[viewer]] = (await installation.viewers({ count: 1 })) as [[HttpUser]]
    const { url } = installation.app
    const { id, addresses } = await open(viewer, installation.channels[0]!)
    const headers = { origin: url, cookie: viewer.cookie(), 'content-type': 'application/json' }
    await fetch(`${url}/api/plays/${id}`, { method: 'DELETE', headers, body: '{}' })
    const before = panel.streams.requests.length
    const answers = new Set<string>()
    for (const address of addresses) {
      const { status, headers: names, body } = await ask(address, viewer)
      answers.add(`${status} ${names} ${body}`)
    }
    expect([...answers]).toEqual([expect.stringMatching(/^410 .*"closed"/)])
    expect(panel.streams.requests.slice(before).filter((path) => !path.includes('/tape'))).toEqual([])
    // A changed address does not reveal that the play has ended.
    expect((await ask(changedBits(addresses[0]!)[100]!, viewer)).status).toBe(404)
  })
})
