import { readFileSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const folder = '/dev/shm'
const enoughBytes = 4 * 2 ** 30

/**
 * Returns a folder in memory for the databases of a test run, where creating and dropping them takes a fifth of the processor time that it takes on a disk.
 * Returns undefined if there is no such folder, if it or the machine has less than 4 GB free, or if programs must not be executed in it.
 */
export function memoryFolder(): string | undefined {
  try {
    const options = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(readFileSync('/proc/mounts', 'utf8'))?.[1]?.split(',')
    if (!options || options.includes('noexec') || options.includes('ro')) return undefined
    const { bavail, bsize } = statfsSync(folder)
    return Math.min(bavail * bsize, freemem()) >= enoughBytes ? folder : undefined
  } catch {
    return undefined
  }
}
