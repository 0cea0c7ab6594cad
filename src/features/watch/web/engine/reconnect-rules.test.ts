import { expect, test } from 'vitest'
import { maxTries, nextTry, waitBeforeTry } from './reconnect-rules.ts'

test('a lost stream is opened again immediately, then after about 2, 4 and 8 seconds, with different delays for each viewer', () => {
  const waits = (random: number) => Array.from({ length: maxTries }, (_, n) => waitBeforeTry(n + 1, random))
  expect(waits(0.5)).toEqual([0, 2_000, 4_000, 8_000])
  expect([waits(0), waits(1)]).toEqual([
    [0, 1_500, 3_000, 6_000],
    [0, 2_500, 5_000, 10_000],
  ])
})

test('tries are counted until a stream has played for 15 seconds', () => {
  expect([nextTry(0, 0), nextTry(1, 14_999), nextTry(3, 2_000), nextTry(4, 15_000)]).toEqual([1, 2, 4, 1])
})
