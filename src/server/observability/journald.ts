import { fstatSync } from 'node:fs'
import { type DestinationStream, pino } from 'pino'

/** The syslog priority of a pino level: debug 7, info 6, warning 4, error 3, critical 2. */
export function priorityOf(level: number): number {
  if (level < 30) return 7
  if (level < 40) return 6
  if (level < 50) return 4
  return level < 60 ? 3 : 2
}

/**
 * The log destination: standard output. If systemd connected it to the journal (`JOURNAL_STREAM`), each line starts with `<priority>`;
 * journald removes it and filters by it (`journalctl -p warning`).
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

/** Prefixes each line with the priority of its level. */
export function withPriorities(out: DestinationStream): DestinationStream {
  return {
    // With this symbol, pino sets `lastLevel` before each write.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 30,
    write(line: string) {
      out.write(`<${priorityOf(this.lastLevel)}>${line}`)
    },
  } as DestinationStream & { lastLevel: number }
}
