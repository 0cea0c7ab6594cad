import { expect, test } from 'vitest'
import { batch } from './batch.ts'

const wordLengths = () => {
  const batches: string[][] = []
  const load = batch(async (_: object, words: string[]) => {
    batches.push(words)
    return new Map(words.filter((word) => word !== '').map((word) => [word, word.length]))
  })
  const source = {}
  return { batches, load, find: (word: string) => load(source, word) }
}

test('requests of the same turn share one call, and each gets its own result', async () => {
  const { batches, find } = wordLengths()
  expect(await Promise.all([find('one'), find('three'), find(''), find('one')])).toEqual([3, 5, undefined, 3])
  expect(batches).toEqual([['one', 'three', '']])
})

test('each source has its own batch', async () => {
  const { batches, load } = wordLengths()
  await Promise.all([load({}, 'one'), load({}, 'two')])
  expect(batches).toEqual([['one'], ['two']])
})

test('nothing is cached: a request made during or after a call causes a new call', async () => {
  const { batches, find } = wordLengths()
  const first = find('one')
  await new Promise((resolve) => setImmediate(resolve))
  const second = find('one')
  await Promise.all([first, second])
  await find('one')
  expect(batches).toEqual([['one'], ['one'], ['one']])
})

test('a failed call rejects every request of its batch, but no later request', async () => {
  let isFailing = true
  const load = batch(async (_: object, words: string[]) => {
    if (isFailing) throw new Error('failed')
    return new Map(words.map((word) => [word, true]))
  })
  const source = {}
  const find = (word: string) => load(source, word)
  const settled = await Promise.allSettled([find('one'), find('two')])
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isFailing = false
  expect(await find('one')).toBe(true)
})
