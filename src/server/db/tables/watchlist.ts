import { sql } from 'drizzle-orm'
import { integer, pgTable } from 'drizzle-orm/pg-core'
import { instant } from '../columns.ts'

export const watchlist = pgTable('watchlist', {
  userId: integer('user_id').primaryKey(),
  channelId: integer('channel_id').primaryKey(),
  addedAt: instant('added_at').notNull().default(sql`now()`),
  position: integer('position'),
})
