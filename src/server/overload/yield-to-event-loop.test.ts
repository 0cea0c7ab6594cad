import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { yieldToEventLoop } from './yield-to-event-loop.ts'

test('callers of one event-loop turn each resume in a separate turn, in order', async () => {
  const done: string[] = []
  const work = ['first', 'second', 'third'].map((name) => yieldToEventLoop().then(() => void done.push(name)))
  const seen: number[] = []
  while (done.length < 3) {
    await turn()
    seen.push(done.length)
  }
  await Promise.all(work)
  expect(done).toEqual(['first', 'second', 'third'])
  for (const [at, count] of seen.entries()) expect(count - (seen[at - 1] ?? 0)).toBeLessThanOrEqual(1)
})
