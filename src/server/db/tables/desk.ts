import { sql } from 'drizzle-orm'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../columns.ts'

/** The page and the item that each administrator has open. The table is unlogged. */
export const deskPresence = pgTable('desk_presence', {
  userId: integer('user_id').primaryKey(),
  path: text('path').notNull(),
  seenAt: instant('seen_at').notNull().default(sql`now()`),
  item: text('item'),
  itemSeenAt: instant('item_seen_at'),
})
