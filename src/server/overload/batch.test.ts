import { expect, test } from 'vitest'
import { batch } from './batch.ts'

const numbers = () => {
  const asked: string[][] = []
  const ask = batch(async (_: object, words: string[]) => {
    asked.push(words)
    return new Map(words.filter((word) => word !== '').map((word) => [word, word.length]))
  })
  const source = {}
  return { asked, ask, find: (word: string) => ask(source, word) }
}

test('who asks in the same turn shares one question, and each has the answer to their own', async () => {
  const { asked, find } = numbers()
  expect(await Promise.all([find('one'), find('three'), find(''), find('one')])).toEqual([3, 5, undefined, 3])
  expect(asked).toEqual([['one', 'three', '']])
})

test('each source is asked its own question', async () => {
  const { asked, ask } = numbers()
  await Promise.all([ask({}, 'one'), ask({}, 'two')])
  expect(asked).toEqual([['one'], ['two']])
})

test('nothing is remembered: who asks while a question is under way, or later, asks anew', async () => {
  const { asked, find } = numbers()
  const first = find('one')
  await new Promise((resolve) => setImmediate(resolve))
  const second = find('one')
  await Promise.all([first, second])
  await find('one')
  expect(asked).toEqual([['one'], ['one'], ['one']])
})

test('what fails, fails for all who asked it, and for nobody after them', async () => {
  let isAway = true
  const ask = batch(async (_: object, words: string[]) => {
    if (isAway) throw new Error('away')
    return new Map(words.map((word) => [word, true]))
  })
  const source = {}
  const find = (word: string) => ask(source, word)
  const settled = await Promise.allSettled([find('one'), find('two')])
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isAway = false
  expect(await find('one')).toBe(true)
})
