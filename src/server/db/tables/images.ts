import { sql } from 'drizzle-orm'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, instant, oneOf } from '../columns.ts'

/** Images that the site shows, by the SHA-256 of their bytes. */
export const images = pgTable('images', {
  hash: text('hash').primaryKey(),
  type: oneOf('type', ['image/png', 'image/jpeg', 'image/webp']),
  bytes: bytes('bytes').notNull(),
  width: integer('width'),
  height: integer('height'),
  storedAt: instant('stored_at').notNull().default(sql`now()`),
})
