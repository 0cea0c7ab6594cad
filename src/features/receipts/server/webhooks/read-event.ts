import { maskNumbers } from '#kit/untrusted-text.ts'
import type { EventFacts } from '#server/db/tables.ts'

/** What an event reports. An event with the outcome `waiting` still lacks its amount or the payment that it takes back. */
export type EventReading = {
  eventId: string
  type: string
  /** The processor's id of the object that the event is about, such as an invoice. */
  subject: string
  /** The time that the event contains. */
  at: Date
  outcome: 'payment' | 'reversal' | 'waiting' | 'test' | 'ignored' | 'review'
  reason: string | null
  facts: EventFacts | null
}

/** The maximum amount of a payment in cents. */
const maxCents = 100_000_000
export const isAmount = (cents: unknown): cents is number =>
  typeof cents === 'number' && Number.isInteger(cents) && cents >= 1 && cents <= maxCents

/** Converts seconds since 1970 to a date; null if the date is not in this century. */
export function timeOf(seconds: unknown): Date | null {
  if (typeof seconds !== 'number' || !(seconds > 946_684_800 && seconds < 4_102_444_800)) return null
  return new Date(seconds * 1000)
}

/** Returns a string from an event in the form in which it is stored, cut to `maxLength` characters; null if it is empty or not a string. */
export function textOf(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return null
  const clean = [...value.toWellFormed().replace(/[\p{Cc}\p{Cf}]+/gu, ' ')].slice(0, maxLength).join('').trim()
  return clean || null
}

/** Like `textOf`, for a name or note: card and account numbers are masked. */
export const payerTextOf = (value: unknown, maxLength: number): string | null => {
  const text = textOf(value, maxLength)
  return text && maskNumbers(text)
}

/** Returns the value if it is a valid id of the processor, otherwise null. */
export const idOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[\w-]{1,120}$/.test(value) ? value : null

type Fields = Record<string, unknown>
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** Parses the body of an event; null if it is not a UTF-8 encoded JSON object. */
export function parseEvent(raw: Uint8Array): Fields | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
  } catch {
    return null
  }
}
