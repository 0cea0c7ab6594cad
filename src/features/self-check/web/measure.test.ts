import { afterEach, expect, test, vi } from 'vitest'
import { framesBetween } from './count-frames.ts'
import { isBlocked, measureHost } from './measure.ts'

afterEach(() => vi.unstubAllGlobals())

const { signal } = new AbortController()
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** Stubs `fetch`: test requests are answered if `isUp`, and all other requests fail after `failsMs` milliseconds. */
const network = (failsMs: number, isUp = true) =>
  vi.stubGlobal('fetch', async (address: string) => {
    if (address === '/healthz' && isUp) return new Response('ok')
    await wait(failsMs)
    throw new TypeError('Failed to fetch')
  })

test('a request that fails faster than the server answers others is blocked in the browser', async () => {
  network(0)
  expect(await isBlocked('/stream/check/id', [120, 110], signal)).toBe(true)
})

test('a request that fails as slowly as a failed connection is not blocked in the browser', async () => {
  network(80)
  expect(await isBlocked('/stream/check/id', [120, 110], signal)).toBe(false)
})

test('no request counts as blocked if the network is down, the server is near, the request is answered or no delay was measured', async () => {
  network(0, false)
  expect(await isBlocked('/stream/check/id', [120, 110], signal)).toBe(false)
  network(0)
  expect(await isBlocked('/stream/check/id', [2, 3], signal)).toBe(false)
  expect(await isBlocked('/stream/check/id', [], signal)).toBe(false)
  expect(await isBlocked('/healthz', [120], signal)).toBe(false)
  expect(await isBlocked('/stream/check/id', [120], AbortSignal.abort())).toBe(false)
})

test('the frames of the last minute are those between its first and last count, if there are enough', () => {
  const count = (at: number, total: number, dropped: number) => ({ at, channelId: 1, total, dropped })
  expect(framesBetween([])).toBeNull()
  expect(framesBetween([count(0, 0, 0), count(5_000, 125, 60)])).toBeNull()
  expect(framesBetween([count(0, 1_000, 500), count(10_000, 1_250, 510), count(20_000, 1_500, 520)])).toEqual({
    shown: 480,
    dropped: 20,
  })
})

const direct = { loader: '/direct/check/id/loader.js', segments: ['https://edge.example/seg/1.ts'] }
/** Stubs `Worker`: each worker posts `answer`, fails if it is null, and does not respond if it is undefined. Returns the workers that were started. */
function workers(answer: { bytes: number; ms: number } | null | undefined) {
  const started: { address: string; asked: unknown; isEnded: boolean }[] = []
  class FakeWorker {
    address: string
    asked: unknown
    isEnded = false
    onmessage = (_: { data: unknown }) => {}
    onerror = (_: { preventDefault: () => void }) => {}
    constructor(address: string) {
      this.address = address
      started.push(this)
    }
    postMessage(asked: unknown) {
      this.asked = asked
      if (answer === null) queueMicrotask(() => this.onerror({ preventDefault: () => undefined }))
      else if (answer) queueMicrotask(() => this.onmessage({ data: answer }))
    }
    terminate() {
      this.isEnded = true
    }
  }
  vi.stubGlobal('Worker', FakeWorker)
  vi.stubGlobal('MediaSource', { isTypeSupported: () => true })
  return started
}

test('a streaming host is not measured if the worker fails or gets no answer, after the check ended, or if the browser has no Media Source Extensions', async () => {
  for (const answer of [null, { bytes: 0, ms: 0 }]) {
    const started = workers(answer)
    expect(await measureHost(direct, signal)).toBeNull()
    expect(started).toMatchObject([{ isEnded: true }])
  }
  const started = workers(undefined)
  const check = new AbortController()
  const measured = measureHost(direct, check.signal)
  check.abort()
  expect(await measured).toBeNull()
  expect(started).toMatchObject([{ isEnded: true }])
  expect(await measureHost(direct, check.signal)).toBeNull()
  vi.stubGlobal('MediaSource', undefined)
  expect(await measureHost(direct, signal)).toBeNull()
  expect(started).toHaveLength(1)
})

test('a streaming host is measured by a worker, which gets the URLs of the segments', async () => {
  const started = workers({ bytes: 180_000, ms: 3_000 })
  expect(await measureHost(direct, signal)).toEqual({ bytes: 180_000, ms: 3_000 })
  expect(started).toMatchObject([{ address: direct.loader, asked: direct.segments, isEnded: true }])
})
