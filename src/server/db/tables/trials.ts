import { sql } from 'drizzle-orm'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { id, instant, oneOf, version } from '../columns.ts'

export const trialRequests = pgTable('trial_requests', {
  id: id(),
  userId: integer('user_id').notNull(),
  requestDate: instant('request_date').notNull().default(sql`now()`),
  status: oneOf('status', ['pending', 'approved', 'denied']).default('pending'),
  message: text('message').notNull(),
  device: text('device').notNull(),
  responseDate: instant('response_date'),
  adminId: integer('admin_id'),
  trialUsername: text('trial_username'),
  trialPassword: text('trial_password'),
  trialServer: text('trial_server'),
  adminNotes: text('admin_notes'),
  expiryDate: instant('expiry_date'),
  endedAt: instant('ended_at'),
  version: version(),
})
