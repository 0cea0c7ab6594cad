import { sql } from 'drizzle-orm'
import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../columns.ts'

/** The visitors of each process, written while an administrator looks at the visitors. The table is unlogged. */
export const presence = pgTable('presence', {
  process: uuid('process').primaryKey(),
  visitors: text('visitors').notNull(),
  publishedAt: instant('published_at').notNull().default(sql`now()`),
})
