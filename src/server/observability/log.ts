import type { LoggerOptions } from 'pino'

/** The maximum characters of a string in a log line: `request` for fields from a request, `stack` for stacks, `text` for all other strings. */
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

function sanitizeText(name: string, text: string): string {
  const limit = name === 'stack' ? maxLength.stack : requestFields.has(name) ? maxLength.request : maxLength.text
  const safe = text.toWellFormed().replaceAll(unsafe, escaped)
  return safe.length > limit ? `${safe.slice(0, limit)}… (${text.length} characters)` : safe
}

function sanitize(name: string, value: unknown, depth: number): unknown {
  if (typeof value === 'string') return sanitizeText(name, value)
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Error) return value
  if (depth >= maxDepth) return '…'
  if (Array.isArray(value)) return value.slice(0, maxItems).map((each) => sanitize(name, each, depth + 1))
  return sanitizeFields(value as Record<string, unknown>, depth + 1)
}

/** Truncates and escapes all strings in the fields of a log line, at any depth. */
export const sanitizeFields = (fields: Record<string, unknown>, depth = 0): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields)
      .slice(0, maxItems)
      .map(([name, value]) => [sanitizeText('name', name), sanitize(name, value, depth)]),
  )

/** The pino options of every logger. */
export const logOptions: Pick<LoggerOptions, 'formatters'> = { formatters: { log: (fields) => sanitizeFields(fields) } }
