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

test('of the streams that wait, one continues in each turn, in the order in which they began to wait', async () => {
  await nextTurn()
  const calls: string[] = []
  const stream = (name: string) => () => {
    calls.push(name)
    countInTurn(65_536)
  }
  countInTurn(65_536)
  for (const name of ['first', 'second', 'third']) whenTurnAllows(stream(name))
  const seen: string[][] = []
  for (let turn = 0; turn < 4; turn++) {
    await nextTurn()
    seen.push([...calls])
  }
  expect(seen.map(({ length }) => length)).toEqual([1, 2, 3, 3])
  expect(calls).toEqual(['first', 'second', 'third'])
})
