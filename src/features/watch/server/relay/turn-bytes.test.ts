import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { countInTurn, whenTurnAllows } from './turn-bytes.ts'

test('after 64 KB were relayed, streams continue in the next turn of the event loop', async () => {
  const calls: string[] = []
  countInTurn(65_535)
  whenTurnAllows(() => calls.push('first'))
  countInTurn(1)
  whenTurnAllows(() => calls.push('second'))
  expect(calls).toEqual(['first'])
  await nextTurn()
  expect(calls).toEqual(['first', 'second'])
  whenTurnAllows(() => calls.push('third'))
  expect(calls).toEqual(['first', 'second', 'third'])
})
