import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Runs `work` while this process holds the lock file. `work` must check again whether it is still needed, because another process may have
 * done it. Takes over the lock of a dead process. Prints `waiting` after about a second of waiting.
 */
export async function withLock(file, waiting, work) {
  mkdirSync(dirname(file), { recursive: true })
  for (let waited = 0; !takeLock(file); waited++) {
    if (waited === 3) console.error(waiting)
    await sleep(300)
  }
  const release = () => rmSync(file, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

function takeLock(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  if (!isAlive(ownerOf(file))) rmSync(file, { force: true })
  return false
}

function ownerOf(file) {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function isAlive(pid) {
  // The file was created but not written yet, or just released: try again.
  if (!pid) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
