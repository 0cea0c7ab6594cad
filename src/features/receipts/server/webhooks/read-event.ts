import { maskNumbers } from '#kit/untrusted-text.ts'
import type { EventFacts } from '#server/db/tables.ts'

/** What an event reports. `waiting` events need their amount or the payment that they take back. */
export type EventReading = {
  eventId: string
  type: string
  /** The processor's id of what it is about. */
  subject: string
  /** The time that the event itself names. */
  at: Date
  outcome: 'payment' | 'reversal' | 'waiting' | 'test' | 'ignored' | 'review'
  reason: string | null
  facts: EventFacts | null
}

/** The maximum amount of a payment in cents. */
const maxCents = 100_000_000
export const isAmount = (cents: unknown): cents is number =>
  typeof cents === 'number' && Number.isInteger(cents) && cents >= 1 && cents <= maxCents

/** Reads an instant in seconds since 1970; null if it is not in this century. */
export function timeOf(seconds: unknown): Date | null {
  if (typeof seconds !== 'number' || !(seconds > 946_684_800 && seconds < 4_102_444_800)) return null
  return new Date(seconds * 1000)
}

/** A text of the processor as it is stored; null if it is empty. */
export function textOf(value: unknown, most: number): string | null {
  if (typeof value !== 'string') return null
  const clean = [...value.toWellFormed().replace(/[\p{Cc}\p{Cf}]+/gu, ' ')].slice(0, most).join('').trim()
  return clean || null
}

/** The same for a name or note, in which numbers of cards and accounts are masked. */
export const payerTextOf = (value: unknown, most: number): string | null => {
  const text = textOf(value, most)
  return text && maskNumbers(text)
}

/** An id of the processor; null if the value is not an id. */
export const idOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[\w-]{1,120}$/.test(value) ? value : null

type Fields = Record<string, unknown>
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** Parses the body of an event; null if it is not a JSON object in UTF-8. */
export function parseEvent(raw: Uint8Array): Fields | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
  } catch {
    return null
  }
}
