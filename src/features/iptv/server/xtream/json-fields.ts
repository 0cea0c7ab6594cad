import type { Instant } from '#kit/dates.ts'
import { parseJson } from '#kit/parse-json.ts'
import { withoutControlCharacters } from '#kit/text.ts'

/** The value of an object's own field; undefined if `value` is not an object or has no own field of this name. */
export const ownField = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, field)
    ? (value as Record<string, unknown>)[field]
    : undefined

/** The value of the first of these fields that is not missing, null or an empty string; undefined if there is none. */
export const firstField = (value: unknown, ...fields: string[]): unknown => {
  for (const field of fields) {
    const found = ownField(value, field)
    if (found !== undefined && found !== null && found !== '') return found
  }
  return undefined
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A trimmed string, or a number as a string; empty for anything else. */
export const asText = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' && Number.isFinite(value) ? String(value) : ''

export function asNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || !/^-?\d{1,15}(\.\d{1,9})?$/.test(value.trim())) return null
  return Number(value)
}

const yes = new Set<unknown>([1, '1', true, 'true', 'yes', 'on', 'active', 'enabled'])
const no = new Set<unknown>([
  0,
  '0',
  false,
  'false',
  'no',
  'off',
  'disabled',
  'banned',
  'expired',
  'inactive',
  'suspended',
])
/** Reads a panel's yes or no; null for any other value. */
export function asBoolean(value: unknown): boolean | null {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : value
  return yes.has(text) ? true : no.has(text) ? false : null
}

/** Panels write 0 or a number larger than this for "no limit". */
const maxConnections = 1_000
/** Reads a number of connections; null for "no limit" and for an invalid value. */
export function asConnections(value: unknown): number | null {
  const count = asNumber(value)
  return count === null || !Number.isInteger(count) || count < 1 || count > maxConnections ? null : count
}

/** Parses Unix seconds, ISO 8601 or `Y-m-d H:i:s` in UTC. Null for "never" (0, nothing, a date out of range); undefined for anything else. */
export function asInstant(value: unknown): Instant | null | undefined {
  if (value === null || value === undefined || value === false) return null
  const text = asText(value)
  if (text === '' || /^(null|never|unlimited|none|0|0000-00-00.*)$/i.test(text)) return null
  const seconds = asNumber(text)
  if (seconds !== null)
    return seconds <= 0 || seconds > 8_640_000_000_000 ? null : new Date(seconds * 1000).toISOString()
  const [, day, time = 'T00:00:00'] = /^(\d{4}-\d\d-\d\d)([ T]\d\d:\d\d(?::\d\d)?(?:\.\d{1,9})?)?$/.exec(text) ?? []
  const date = new Date(day ? `${day}${time.replace(' ', 'T')}Z` : text)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** Formats an instant in whole seconds, with an explicit UTC offset. */
export const toPanelTime = (instant: Instant): string => `${new Date(instant).toISOString().slice(0, 19)}+00:00`

/** Reads a list, which may also be an object with numeric keys or a JSON string. Returns an empty list for null and false, and undefined for anything else. */
export function asRows(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (typeof value === 'string' && /^\s*\[/.test(value)) return asRows(parsePanelJson(value))
  if (value === null || value === false) return []
  if (isRecord(value) && Object.keys(value).every((key) => /^\d+$/.test(key))) return Object.values(value)
  return undefined
}

/** Parses a panel's JSON, which may start with a byte order mark. Returns undefined if `text` is not JSON. */
export const parsePanelJson = (text: string): unknown => parseJson(text.replace(/^\uFEFF/, ''))

/** A panel's message as one short line that is safe to show. */
export const asSingleLine = (value: unknown): string =>
  withoutControlCharacters(asText(value).replaceAll(/\s+/g, ' ')).slice(0, 160)
