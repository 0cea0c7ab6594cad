import { readFileSync } from 'node:fs'

let boot: string | undefined

/** Reads the identity from /proc. Undefined if there is no such process. Throws if /proc cannot be read, for example without free file descriptors. */
function readIdentity(pid: number): string | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
  // The second field is the command in parentheses, which may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
  return `${pid}-${fields[19]}-${boot}`
}

/**
 * Identifies a process by pid, start time and boot id, so that a later process with the same pid has a different identity. Undefined if no such process is
 * running; a zombie is not running.
 */
export function identityOf(pid: number): string | undefined {
  try {
    return readIdentity(pid)
  } catch {
    return undefined
  }
}

/** Whether exactly this process is still running. If /proc cannot be read, assume that it is. */
export function isAlive(identity: string): boolean {
  try {
    return readIdentity(pidOf(identity)) === identity
  } catch {
    return true
  }
}

/** Returns the pid of an identity. */
export const pidOf = (identity: string): number => Number.parseInt(identity, 10)
