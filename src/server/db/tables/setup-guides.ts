import { boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { id, oneOf, version } from '../columns.ts'

export const setupGuides = pgTable('setup_guides', {
  id: id(),
  device: oneOf('device', ['firestick', 'android-tv', 'android-phone', 'apple', 'samsung', 'lg', 'web']),
  tab: oneOf('tab', ['firestick', 'android', 'other']),
  app: text('app').notNull().default(''),
  appUrl: text('app_url').notNull().default(''),
  code: text('code').notNull().default(''),
  steps: jsonb('steps')
    .$type<{ title: string; text: string; picture: string; below: 'nothing' | 'code' | 'app' | 'login' }[]>()
    .notNull(),
  position: integer('position').notNull().default(0),
  hidden: boolean('hidden').notNull().default(false),
  version: version(),
})
