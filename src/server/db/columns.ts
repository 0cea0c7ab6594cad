import { customType, text } from 'drizzle-orm/pg-core'
import type { Instant } from '#kit/dates.ts'

/** `timestamptz` read and written as ISO 8601 text in UTC: rows need no conversion on their way to the wire. */
export const instant = customType<{ data: Instant; driverData: string }>({
  dataType: () => 'timestamptz',
  fromDriver: (value) => new Date(value).toISOString(),
})

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** A text that is one of these words, never null; the column's check names the same ones. */
export const oneOf = <const Words extends [string, ...string[]]>(name: string, words: Words) => text(name, { enum: words }).notNull()
