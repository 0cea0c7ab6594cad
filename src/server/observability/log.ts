import type { LoggerOptions } from 'pino'

/** Maximum characters of a text in a log line: of a field from a request, of any other text, of a stack. */
const maxLength = { request: 256, text: 1_024, stack: 4_096 }
const requestFields = new Set([
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
const maxDepth = 4
const maxItems = 50

// Characters that JSON does not escape but terminals interpret: C1 controls, line separators, bidirectional overrides.
const unsafe = /[\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g
const escaped = (found: string): string => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`

function boundText(name: string, text: string): string {
  const limit = name === 'stack' ? maxLength.stack : requestFields.has(name) ? maxLength.request : maxLength.text
  const safe = text.toWellFormed().replaceAll(unsafe, escaped)
  return safe.length > limit ? `${safe.slice(0, limit)}… (${text.length} characters)` : safe
}

function bound(name: string, value: unknown, depth: number): unknown {
  if (typeof value === 'string') return boundText(name, value)
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Error) return value
  if (depth >= maxDepth) return '…'
  if (Array.isArray(value)) return value.slice(0, maxItems).map((each) => bound(name, each, depth + 1))
  return boundFields(value as Record<string, unknown>, depth + 1)
}

/** Truncates and escapes all texts in the fields of a log line, at any depth. */
export const boundFields = (fields: Record<string, unknown>, depth = 0): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields)
      .slice(0, maxItems)
      .map(([name, value]) => [boundText('name', name), bound(name, value, depth)]),
  )

/** The pino options of every logger. */
export const logOptions: Pick<LoggerOptions, 'formatters'> = { formatters: { log: (fields) => boundFields(fields) } }
