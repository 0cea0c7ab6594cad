import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/harness/folders.ts'
import { withLock } from './lock.ts'
import { identityOf, isAlive } from './process-identity.ts'

test('a lock that is held longer than one will wait is refused and names its holder', async () => {
  const path = join(temporaryFolder(), 'lock')
  const held = Promise.withResolvers<void>()
  const holder = withLock(path, 1_000, () => held.promise)
  await expect(withLock(path, 50, async () => {})).rejects.toThrow(`Process ${process.pid} has held ${path}`)
  held.resolve()
  await holder
  expect(await withLock(path, 1_000, async () => 'free')).toBe('free')
})

test('of many who want it one works at a time, and nothing is left lying about', async () => {
  const folder = temporaryFolder()
  expect(await crowd(join(folder, 'lock'))).toEqual({ done: 12, together: 1 })
  expect(readdirSync(folder)).toEqual([])
})

test('the lock of a dead process is taken over, by one at a time', async () => {
  const path = join(temporaryFolder(), 'lock')
  mkdirSync(path)
  writeFileSync(join(path, 'owner'), formerSelf())
  expect(await crowd(path)).toEqual({ done: 12, together: 1 })
  expect(existsSync(path)).toBe(false)
})

test('an empty lock, left by a process killed while letting go, is taken over', async () => {
  const path = join(temporaryFolder(), 'lock')
  mkdirSync(path)
  expect(await withLock(path, 1_000, async () => 'mine')).toBe('mine')
})

test('work that throws lets go of the lock', async () => {
  const path = join(temporaryFolder(), 'lock')
  const failing = withLock(path, 1_000, async () => {
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(existsSync(path)).toBe(false)
})

test('a process is told from a later one with the same number', () => {
  expect(isAlive(identityOf(process.pid)!)).toBe(true)
  expect(isAlive(formerSelf())).toBe(false)
  expect(identityOf(2 ** 22 + 1)).toBeUndefined()
})

/** This process's number with another start time: a process that had the number before. */
const formerSelf = (): string => identityOf(process.pid)!.replace(/-\d+-/, '-1-')

async function crowd(path: string): Promise<{ done: number; together: number }> {
  let [inside, together, done] = [0, 0, 0]
  const work = async () => {
    together = Math.max(together, ++inside)
    await sleep(3)
    inside--
    done++
  }
  await Promise.all(Array.from({ length: 12 }, () => withLock(path, 10_000, work)))
  return { done, together }
}
