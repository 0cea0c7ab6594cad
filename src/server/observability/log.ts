import type { LoggerOptions } from 'pino'

/** Characters of one text in a log line. What requests say of themselves is shorter than what a failure says. */
const most = { asked: 256, text: 1_024, stack: 4_096 }
const asked = new Set([
  'path',
  'url',
  'host',
  'origin',
  'referer',
  'userAgent',
  'ip',
  'username',
  'requestId',
  'claimed',
  'name',
])
const mostDepth = 4
const mostItems = 50

// What JSON leaves as it is and a terminal obeys, or what disguises a line: further controls, line separators, changes of direction.
const unsafe = /[\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g
const escaped = (found: string): string => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`

function boundText(name: string, text: string): string {
  const limit = name === 'stack' ? most.stack : asked.has(name) ? most.asked : most.text
  const safe = text.toWellFormed().replaceAll(unsafe, escaped)
  return safe.length > limit ? `${safe.slice(0, limit)}… (${text.length} characters)` : safe
}

function bound(name: string, value: unknown, depth: number): unknown {
  if (typeof value === 'string') return boundText(name, value)
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Error) return value
  if (depth >= mostDepth) return '…'
  if (Array.isArray(value)) return value.slice(0, mostItems).map((each) => bound(name, each, depth + 1))
  return boundFields(value as Record<string, unknown>, depth + 1)
}

/** The fields of a log line with every text bounded in length and escaped, however deep. */
export const boundFields = (fields: Record<string, unknown>, depth = 0): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields)
      .slice(0, mostItems)
      .map(([name, value]) => [boundText('name', name), bound(name, value, depth)]),
  )

/** What every log of ours is made with. */
export const logOptions: Pick<LoggerOptions, 'formatters'> = { formatters: { log: (fields) => boundFields(fields) } }
