import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, id, instant, oneOf, version } from '../columns.ts'

export const inquiries = pgTable('inquiries', {
  id: id(),
  name: text('name').notNull(),
  email: text('email').notNull(),
  planId: integer('plan_id'),
  message: text('message').notNull(),
  newsletterOpt: boolean('newsletter_opt').notNull().default(false),
  createdAt: createdAt(),
  status: oneOf('status', ['open', 'answered']).default('open'),
  adminNotes: text('admin_notes'),
  answeredAt: instant('answered_at'),
  version: version(),
})
