import { sql } from 'drizzle-orm'
import { boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, id, version } from '../columns.ts'

/** Saved views of admin lists: the query parameters and the hidden columns. */
export const savedViews = pgTable('saved_views', {
  id: id(),
  ownerId: integer('owner_id').notNull(),
  list: text('list').notNull(),
  name: text('name').notNull(),
  query: jsonb('query').$type<Record<string, string>>().notNull().default(sql`'{}'::jsonb`),
  hiddenColumns: jsonb('hidden_columns').$type<string[]>().notNull().default(sql`'[]'::jsonb`),
  shared: boolean('shared').notNull().default(false),
  createdAt: createdAt(),
  version: version(),
})
