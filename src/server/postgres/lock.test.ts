import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/harness/folders.ts'
import { withLock } from './lock.ts'
import { identityOf, isAlive } from './process-identity.ts'

test('waiting longer than the timeout throws an error that contains the pid of the holder', async () => {
  const path = join(temporaryFolder(), 'lock')
  const held = Promise.withResolvers<void>()
  const holder = withLock(path, 1_000, () => held.promise)
  await expect(withLock(path, 50, async () => {})).rejects.toThrow(`Process ${process.pid} has held ${path}`)
  held.resolve()
  await holder
  expect(await withLock(path, 1_000, async () => 'free')).toBe('free')
})

test('only one of many callers runs at a time, and no files remain', async () => {
  const folder = temporaryFolder()
  expect(await runConcurrently(join(folder, 'lock'))).toEqual({ done: 12, maxConcurrent: 1 })
  expect(readdirSync(folder)).toEqual([])
})

test('the lock of a dead process is taken over by one caller at a time', async () => {
  const path = join(temporaryFolder(), 'lock')
  mkdirSync(path)
  writeFileSync(join(path, 'owner'), formerSelf())
  expect(await runConcurrently(path)).toEqual({ done: 12, maxConcurrent: 1 })
  expect(existsSync(path)).toBe(false)
})

test('an empty lock, left by a process killed while releasing it, is taken over', async () => {
  const path = join(temporaryFolder(), 'lock')
  mkdirSync(path)
  expect(await withLock(path, 1_000, async () => 'mine')).toBe('mine')
})

test('the lock is released if the work throws', async () => {
  const path = join(temporaryFolder(), 'lock')
  const failing = withLock(path, 1_000, async () => {
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(existsSync(path)).toBe(false)
})

test('a process is distinguished from a later one with the same pid', () => {
  expect(isAlive(identityOf(process.pid)!)).toBe(true)
  expect(isAlive(formerSelf())).toBe(false)
  expect(identityOf(2 ** 22 + 1)).toBeUndefined()
})

/** The identity of an earlier process with the same pid: its start time differs. */
const formerSelf = (): string => identityOf(process.pid)!.replace(/-\d+-/, '-1-')

async function runConcurrently(path: string): Promise<{ done: number; maxConcurrent: number }> {
  let [running, maxConcurrent, done] = [0, 0, 0]
  const work = async () => {
    maxConcurrent = Math.max(maxConcurrent, ++running)
    await sleep(3)
    running--
    done++
  }
  await Promise.all(Array.from({ length: 12 }, () => withLock(path, 10_000, work)))
  return { done, maxConcurrent }
}
