import { syncBuiltinESMExports } from 'node:module'
import timers, { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { news } from '../../../test/harness/transport-variants.ts'
import type { TransportSource } from './server/relay/open-source.ts'
import { Packager, type PackagerOptions } from './server/relay/packager/packager.ts'
import { StreamFailure } from './server/relay/upstream-reason.ts'

// Vitest does not replace the timers of node:timers/promises.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  vi.spyOn(timers, 'setTimeout').mockImplementation(
    (ms) => new Promise<never>((resolve) => setTimeout(() => resolve(undefined as never), ms)),
  )
  syncBuiltinESMExports()
})
afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  vi.useRealTimers()
})

/** Waits until pending promises have settled, without timers. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn()
}
async function pass(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms)
  await settle()
}

/** A stream that sends these bytes and then breaks off or stays open. */
function sourceOf(head: Buffer, { breaksOff }: { breaksOff: boolean }) {
  const next = Promise.withResolvers<IteratorResult<Buffer>>()
  const state = { isClosed: false }
  const close = () => {
    state.isClosed = true
    next.resolve({ done: true, value: undefined })
  }
  if (breaksOff) close()
  const source: TransportSource = {
    kind: 'transport',
    url: new URL('http://panel.example/'),
    head,
    chunks: { next: () => next.promise },
    close,
  }
  return { source, state, breakOff: close }
}
const panelDown = () => Promise.reject(new StreamFailure('panel_down', 'ECONNREFUSED'))

/** A live stream that broke off. `calls`: how many seconds later it was requested again, each time; `reopen` answers each request. */
function brokenOff(reopen: (call: number) => ReturnType<PackagerOptions['reopen']>) {
  const beganAt = Date.now()
  const calls: number[] = []
  const failures: StreamFailure[] = []
  const packager = new Packager({
    source: sourceOf(news, { breaksOff: true }).source,
    recording: undefined,
    reopen: () => reopen(calls.push((Date.now() - beganAt) / 1000)),
    onCodecs: () => {},
    onFailure: (failure) => failures.push(failure),
  })
  onTestFinished(() => packager.close())
  return { packager, calls, failures }
}

test('a stream that broke off is requested again for 7.5 seconds; then the play fails with the reason', async () => {
  const { packager, calls, failures } = brokenOff(panelDown)
  await settle()
  for (let second = 0; second < 7.5; second += 0.5) {
    expect([failures.length, packager.isClosed]).toEqual([0, false])
    await pass(500)
  }
  expect(calls).toEqual([0, 0.5, 1.5, 3.5, 7.5])
  expect(failures.map(({ reason }) => reason)).toEqual(['panel_down'])
  expect(packager.isClosed).toBe(true)
  await pass(60_000)
  expect(calls).toHaveLength(5)
})

test('if the panel is back within 7.5 seconds, the stream continues after a discontinuity, with higher sequence numbers', async () => {
  const again = sourceOf(news, { breaksOff: false })
  const { packager, calls, failures } = brokenOff((call) =>
    call < 4 ? panelDown() : Promise.resolve({ source: again.source, recording: undefined }),
  )
  const read = () => packager.playlist(String, new AbortController().signal)
  await settle()
  const before = await read()
  await pass(500)
  await pass(1_000)
  await pass(2_000)
  expect(calls).toEqual([0, 0.5, 1.5, 3.5])
  const after = await read()
  expect([before.includes('#EXT-X-DISCONTINUITY\n'), after.includes('#EXT-X-DISCONTINUITY\n')]).toEqual([false, true])
  const newest = (text: string) => Number(text.trimEnd().split('\n').at(-1))
  expect(newest(after)).toBeGreaterThan(newest(before))
  expect(failures).toEqual([])
  packager.close()
  expect(again.state.isClosed).toBe(true)
})

test('when the viewer leaves between two requests, no more requests are made', async () => {
  const { packager, calls, failures } = brokenOff(panelDown)
  await settle()
  await pass(500)
  expect(calls).toEqual([0, 0.5])
  packager.close()
  await pass(60_000)
  expect(calls).toEqual([0, 0.5])
  expect(failures).toEqual([])
})

test('a stream that arrives after the viewer left is closed at once', async () => {
  const late = sourceOf(news, { breaksOff: false })
  const answer = Promise.withResolvers<Awaited<ReturnType<PackagerOptions['reopen']>>>()
  const { packager, calls } = brokenOff(() => answer.promise)
  await settle()
  packager.close()
  answer.resolve({ source: late.source, recording: undefined })
  await settle()
  expect([calls.length, late.state.isClosed]).toEqual([1, true])
})

test.each(['refused', 'too_many', 'bad_stream'] as const)(
  'after the failure %s the panel is not asked again',
  async (reason) => {
    const { calls, failures } = brokenOff(() => Promise.reject(new StreamFailure(reason, 'HTTP 403')))
    await settle()
    await pass(60_000)
    expect(calls).toEqual([0])
    expect(failures.map((failure) => failure.reason)).toEqual([reason])
  },
)

test('when a viewer requests nothing for 20 seconds, the stream from the panel is closed', async () => {
  const { source, state } = sourceOf(news, { breaksOff: false })
  // Sends every second, because a pause of 15 seconds would also close the stream.
  source.chunks.next = () =>
    new Promise((resolve) => setTimeout(() => resolve({ done: false, value: news.subarray(0, 188) }), 1_000))
  const packager = new Packager({
    source,
    recording: undefined,
    reopen: panelDown,
    onCodecs: () => {},
    onFailure: () => {},
  })
  await settle()
  await packager.playlist(String, new AbortController().signal)
  for (let second = 0; second < 19; second++) await pass(1_000)
  expect([packager.isClosed, state.isClosed]).toEqual([false, false])
  for (let second = 0; second < 2; second++) await pass(1_000)
  expect([packager.isClosed, state.isClosed]).toEqual([true, true])
})
