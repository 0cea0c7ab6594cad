import { sql } from 'drizzle-orm'
import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { id, instant } from '../columns.ts'

export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  value: jsonb('value').$type<unknown>().notNull(),
  updatedAt: instant('updated_at').notNull().default(sql`now()`),
  updatedBy: integer('updated_by'),
})

/** Settings that are never shown again, sealed. */
export const settingSecrets = pgTable('setting_secrets', {
  name: text('name').primaryKey(),
  sealed: text('sealed').notNull(),
  updatedAt: instant('updated_at').notNull().default(sql`now()`),
})

/** The draft of the brand (`publishedAt` is null) and the versions that were published. */
export const brandVersions = pgTable('brand_versions', {
  id: id(),
  value: jsonb('value').$type<unknown>().notNull(),
  publishedAt: instant('published_at'),
  savedBy: integer('saved_by'),
  savedAt: instant('saved_at').notNull().default(sql`now()`),
})
