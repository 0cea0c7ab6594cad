import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { silentLog } from '../../../test/harness/silent-log.ts'
import { startWorkerLoop } from './worker-loop.ts'

function startCountedLoop(round: () => Promise<number> = async () => 1) {
  const begun: number[] = []
  const work = startWorkerLoop({
    log: silentLog,
    failureMessage: 'it failed',
    round: () => {
      begun.push(performance.now())
      return round()
    },
  })
  return { ...work, begun }
}

test('the first wake starts a round immediately; wakes shortly after share one round', async () => {
  const { wake, run, stop, begun } = startCountedLoop()
  wake()
  expect(begun).toHaveLength(1)
  for (let i = 0; i < 20; i++) {
    wake()
    await sleep(1)
  }
  await expect.poll(() => begun.length).toBe(2)
  expect(begun[1]! - begun[0]!).toBeGreaterThan(195)
  await run()
  expect(begun).toHaveLength(3)
  await stop()
})

test('a round requested during a round runs after it', async () => {
  const first = Promise.withResolvers<number>()
  const results = [first.promise, Promise.resolve(2)]
  const { wake, run, begun } = startCountedLoop(() => results.shift()!)
  wake()
  const both = run()
  first.resolve(1)
  expect(await both).toBe(3)
  expect(begun).toHaveLength(2)
})

test('a failed round does not prevent the next one', async () => {
  const results = [() => Promise.reject(new Error('no')), async () => 5]
  const { wake, run } = startCountedLoop(() => results.shift()!())
  wake()
  await sleep(0)
  expect(await run()).toBe(5)
})

test('stop does not wait for a round that has not begun', async () => {
  const { wake, stop, begun } = startCountedLoop()
  wake()
  await sleep(0)
  wake()
  const stoppedAt = performance.now()
  await stop()
  expect(performance.now() - stoppedAt).toBeLessThan(150)
  await sleep(250)
  expect(begun).toHaveLength(1)
})
