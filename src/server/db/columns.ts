import { sql } from 'drizzle-orm'
import { bigint, customType, integer, text } from 'drizzle-orm/pg-core'
import type { Instant } from '#kit/dates.ts'

/** `timestamptz` read and written as ISO 8601 text in UTC: rows need no conversion on their way to the wire. */
export const instant = customType<{ data: Instant; driverData: string }>({
  dataType: () => 'timestamptz',
  fromDriver: (value) => new Date(value).toISOString(),
})

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** A text that is one of these words, never null; the column's check names the same ones. */
export const oneOf = <const Words extends [string, ...string[]]>(name: string, words: Words) =>
  text(name, { enum: words }).notNull()

/** The row's number, drawn by the database. */
export const id = () => integer('id').primaryKey().generatedAlwaysAsIdentity()

/** The same where rows may outnumber an integer. */
export const bigId = () => bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity()

/** When the row was written, by the database's clock. */
export const createdAt = () => instant('created_at').notNull().default(sql`now()`)

/** Counts the changes of a row, so that two people changing it at once are told. */
export const version = () => integer('version').notNull().default(1)
