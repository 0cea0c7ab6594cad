import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { identityOf, isAlive, pidOf } from './process-identity.ts'

const leftoverAfterMs = 600_000

/**
 * Runs `work` while this process holds the lock, which is the directory `path`. A lock whose process has ended is removed. Throws if another process
 * still holds the lock after `timeoutMs`.
 */
export async function withLock<T>(path: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const release = await acquire(path, timeoutMs)
  try {
    return await work()
  } finally {
    release()
  }
}

async function acquire(path: string, timeoutMs: number): Promise<() => void> {
  const own = `${path}.${process.pid}-${randomBytes(6).toString('hex')}`
  mkdirSync(own)
  writeFileSync(join(own, 'owner'), identityOf(process.pid)!)
  const deadline = performance.now() + timeoutMs
  try {
    // rename() fails while the target directory contains files, and it is atomic: the lock appears together with its owner file.
    while (!move(own, path)) {
      const owner = ownerOf(path)
      if (owner && !isAlive(owner)) removeStaleLock(path, owner)
      else if (performance.now() > deadline)
        throw new Error(`Process ${owner ? pidOf(owner) : 'unknown'} has held ${path} for ${timeoutMs / 1000} s`)
      else await sleep(owner ? 20 : 1)
    }
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    throw error
  }
  removeLeftovers(path)
  return () => {
    move(path, own)
    rmSync(own, { recursive: true, force: true })
  }
}

/**
 * Removes the lock of a process that has ended, by renaming it after that process. The renamed directory stays for a while: another process that read the same
 * owner then fails to rename, and so cannot remove a lock that has been acquired since.
 */
const removeStaleLock = (path: string, owner: string): boolean => move(path, `${path}.dead-${owner}`)

function move(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

function ownerOf(path: string): string | undefined {
  try {
    return readFileSync(join(path, 'owner'), 'utf8')
  } catch {
    return undefined
  }
}

/** Removes directories that ended processes left beside the lock, once they are too old to be in use. */
function removeLeftovers(path: string): void {
  const folder = dirname(path)
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(path)}.`)) continue
    const left = join(folder, name)
    const { ctimeMs } = statSync(left, { throwIfNoEntry: false }) ?? { ctimeMs: Date.now() }
    if (Date.now() - ctimeMs > leftoverAfterMs) rmSync(left, { recursive: true, force: true })
  }
}
