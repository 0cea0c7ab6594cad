import { readFileSync } from 'node:fs'

let boot: string | undefined

/** Throws when it cannot be looked, such as when no file may be opened. */
function look(pid: number): string | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
  // The second field is the command in parentheses and may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
  return `${pid}-${fields[19]}-${boot}`
}

/**
 * Names one process: its pid, when it started and the boot it belongs to, so that a reused pid is somebody else.
 * Undefined when no such process lives; a zombie does not.
 */
export function identityOf(pid: number): string | undefined {
  try {
    return look(pid)
  } catch {
    return undefined
  }
}

/** Whether the very process that was named still lives. Who cannot look has seen nobody dead. */
export function isAlive(identity: string): boolean {
  try {
    return look(pidOf(identity)) === identity
  } catch {
    return true
  }
}

/** The pid inside an identity. */
export const pidOf = (identity: string): number => Number.parseInt(identity, 10)
