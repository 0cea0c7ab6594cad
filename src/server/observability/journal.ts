import { fstatSync } from 'node:fs'
import { type DestinationStream, pino } from 'pino'

/** Lines of pino's levels as syslog priorities: debug 7, info 6, warning 4, error 3, critical 2. */
export function priorityOf(level: number): number {
  if (level < 30) return 7
  if (level < 40) return 6
  if (level < 50) return 4
  return level < 60 ? 3 : 2
}

/**
 * Where log lines go: standard output. Under systemd, which says so by `JOURNAL_STREAM`, each line begins with `<priority>`, which journald takes
 * off again and sorts by (`journalctl -p warning`).
 */
export function logDestination(
  journalStream: string | undefined,
  out: DestinationStream = pino.destination(1),
): DestinationStream {
  if (!isStandardOutput(journalStream)) return out
  return withPriorities(out)
}

function isStandardOutput(journalStream: string | undefined): boolean {
  if (!journalStream) return false
  const { dev, ino } = fstatSync(1)
  return journalStream === `${dev}:${ino}`
}

/** Puts the priority of its level before each line. */
export function withPriorities(out: DestinationStream): DestinationStream {
  return {
    // pino then tells the level of the line it is about to write.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 30,
    write(line: string) {
      out.write(`<${priorityOf(this.lastLevel)}>${line}`)
    },
  } as DestinationStream & { lastLevel: number }
}
