import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { silentLog } from '../../../test/harness/silent-log.ts'
import { startWorkerLoop } from './worker-loop.ts'

function counted(round: () => Promise<number> = async () => 1) {
  const begun: number[] = []
  const work = startWorkerLoop({
    log: silentLog,
    complaint: 'it failed',
    round: () => {
      begun.push(performance.now())
      return round()
    },
  })
  return { ...work, begun }
}

test('whoever asks first is served at once, and many who ask soon after in one round', async () => {
  const { wake, run, stop, begun } = counted()
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

test('what was asked for during a round is looked at after it', async () => {
  const first = Promise.withResolvers<number>()
  const results = [first.promise, Promise.resolve(2)]
  const { wake, run, begun } = counted(() => results.shift()!)
  wake()
  const both = run()
  first.resolve(1)
  expect(await both).toBe(3)
  expect(begun).toHaveLength(2)
})

test('a round that fails is no obstacle to the next one', async () => {
  const results = [() => Promise.reject(new Error('no')), async () => 5]
  const { wake, run } = counted(() => results.shift()!())
  wake()
  await sleep(0)
  expect(await run()).toBe(5)
})

test('it stops without waiting for a round that has not begun', async () => {
  const { wake, stop, begun } = counted()
  wake()
  await sleep(0)
  wake()
  const asked = performance.now()
  await stop()
  expect(performance.now() - asked).toBeLessThan(150)
  await sleep(250)
  expect(begun).toHaveLength(1)
})
