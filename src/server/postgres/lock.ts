import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { identityOf, isAlive, pidOf } from './process-identity.ts'

const leftoverAfterMs = 600_000

/**
 * Runs `work` while this process exclusively holds the lock directory at `path`. Takes over the lock of a dead process. Waits for a living
 * holder, and throws after `timeoutMs`.
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
    // rename() replaces a directory only if that is empty, so the lock appears atomically together with its owner file.
    while (!move(own, path)) {
      const owner = ownerOf(path)
      if (owner && !isAlive(owner)) removeDead(path, owner)
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
 * Moves a dead owner's lock to a name derived from that owner. The name stays taken, so another process that saw the same dead owner cannot
 * remove the lock of the process that was faster.
 */
const removeDead = (path: string, owner: string): boolean => move(path, `${path}.dead-${owner}`)

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

/** Removes the leftovers of killed processes once they are old enough that no process still uses them. */
function removeLeftovers(path: string): void {
  const folder = dirname(path)
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(path)}.`)) continue
    const left = join(folder, name)
    const { ctimeMs } = statSync(left, { throwIfNoEntry: false }) ?? { ctimeMs: Date.now() }
    if (Date.now() - ctimeMs > leftoverAfterMs) rmSync(left, { recursive: true, force: true })
  }
}
