import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { identityOf, isAlive, pidOf } from './process-identity.ts'

const forgottenAfterMs = 600_000

/**
 * Runs `work` while this process alone holds the lock directory at `path`. The lock of a dead process is taken over;
 * a living holder is waited for, at most `patienceMs`, then this throws.
 */
export async function withLock<T>(path: string, patienceMs: number, work: () => Promise<T>): Promise<T> {
  const release = await acquire(path, patienceMs)
  try {
    return await work()
  } finally {
    release()
  }
}

async function acquire(path: string, patienceMs: number): Promise<() => void> {
  const own = `${path}.${process.pid}-${randomBytes(6).toString('hex')}`
  mkdirSync(own)
  writeFileSync(join(own, 'owner'), identityOf(process.pid)!)
  const deadline = performance.now() + patienceMs
  try {
    // A directory moves onto a taken name only while that is empty: the lock appears with its owner in it, or not at all.
    while (!move(own, path)) {
      const owner = ownerOf(path)
      if (owner && !isAlive(owner)) takeAway(path, owner)
      else if (performance.now() > deadline)
        throw new Error(`Process ${owner ? pidOf(owner) : 'unknown'} has held ${path} for ${patienceMs / 1000} s`)
      else await sleep(owner ? 20 : 1)
    }
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    throw error
  }
  sweep(path)
  return () => {
    move(path, own)
    rmSync(own, { recursive: true, force: true })
  }
}

/**
 * The name comes from the dead owner and stays taken: whoever else judged the same corpse a moment ago
 * finds it occupied and cannot carry off the lock of the one who was faster.
 */
const takeAway = (path: string, owner: string): boolean => move(path, `${path}.dead-${owner}`)

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

/** Removes what killed processes left, once nobody can still be looking at it. */
function sweep(path: string): void {
  const folder = dirname(path)
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(path)}.`)) continue
    const left = join(folder, name)
    const { ctimeMs } = statSync(left, { throwIfNoEntry: false }) ?? { ctimeMs: Date.now() }
    if (Date.now() - ctimeMs > forgottenAfterMs) rmSync(left, { recursive: true, force: true })
  }
}
