import { boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { id, instant, oneOf, version } from '../columns.ts'

export const plans = pgTable('plans', {
  id: id(),
  name: text('name').notNull(),
  tier: integer('tier').notNull(),
  months: integer('months').notNull(),
  connections: integer('connections').notNull(),
  price: integer('price').notNull(),
  billing: text('billing').notNull(),
  features: jsonb('features').$type<string[]>().notNull(),
  popular: boolean('popular').notNull().default(false),
  hidden: boolean('hidden').notNull().default(false),
  version: version(),
})

export const channels = pgTable('channels', {
  id: id(),
  name: text('name').notNull(),
  category: oneOf('category', [
    'entertainment',
    'movies',
    'sports',
    'nba_teams',
    'nfl_teams',
    'nhl_teams',
    'soccer',
    'news',
    'kids',
    'international',
  ]),
  logo: text('logo').notNull(),
  previewUrl: text('preview_url'),
  featured: boolean('featured').notNull().default(false),
  hidden: boolean('hidden').notNull().default(false),
  version: version(),
  panelStream: text('panel_stream'),
})

/** Logos that the panel lists for its channels. */
export const channelLogos = pgTable('channel_logos', {
  channelId: integer('channel_id').primaryKey(),
  source: text('source').notNull(),
  state: oneOf('state', ['waiting', 'kept', 'failed']).default('waiting'),
  /** The hash of the fetched logo, which is stored in `images`. */
  hash: text('hash'),
  failure: text('failure'),
  askedAt: instant('asked_at'),
})

export const deviceCategories = pgTable('device_categories', {
  id: id(),
  name: text('name').notNull(),
  icon: text('icon').notNull(),
  devices: jsonb('devices').$type<string[]>().notNull(),
  position: integer('position').notNull().default(0),
  hidden: boolean('hidden').notNull().default(false),
  version: version(),
})

export const faqs = pgTable('faqs', {
  id: id(),
  question: text('question').notNull(),
  answer: text('answer').notNull(),
  order: integer('order').notNull().default(0),
  hidden: boolean('hidden').notNull().default(false),
  version: version(),
})
