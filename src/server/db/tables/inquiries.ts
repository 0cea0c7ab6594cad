import { sql } from 'drizzle-orm'
import { boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, id, instant, oneOf, version } from '../columns.ts'

export const inquiries = pgTable('inquiries', {
  id: id(),
  userId: integer('user_id'),
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

/** The thread of messages about an inquiry or a report. Triggers insert it. */
export const tickets = pgTable('tickets', {
  id: id(),
  kind: oneOf('kind', ['inquiry', 'report']),
  inquiryId: integer('inquiry_id'),
  reportId: integer('report_id'),
  userId: integer('user_id'),
  name: text('name'),
  email: text('email'),
  subject: text('subject').notNull(),
  token: text('token').notNull().default(sql`new_ticket_token()`),
  status: oneOf('status', ['open', 'waiting', 'solved']).default('open'),
  assigneeId: integer('assignee_id'),
  createdAt: createdAt(),
  lastMessageAt: instant('last_message_at').notNull().default(sql`now()`),
  waitingSince: instant('waiting_since'),
  version: version(),
  search: text('search').notNull(),
})

/** The messages of tickets, and the notes of administrators about them. */
export const ticketMessages = pgTable('ticket_messages', {
  id: id(),
  ticketId: integer('ticket_id').notNull(),
  kind: oneOf('kind', ['customer', 'staff', 'note']),
  via: oneOf('via', ['site', 'email', 'hand']).default('site'),
  authorId: integer('author_id'),
  sender: text('sender'),
  body: text('body').notNull(),
  refused: jsonb('refused').$type<string[]>().notNull().default(sql`'[]'::jsonb`),
  isFirst: boolean('is_first').notNull().default(false),
  mailKey: text('mail_key'),
  sourceKey: text('source_key'),
  createdAt: createdAt(),
})

/** Pictures of messages, as WebP. A picture that was uploaded but not yet sent has an uploader instead of a message. */
export const ticketPictures = pgTable('ticket_pictures', {
  id: uuid('id').primaryKey().defaultRandom(),
  uploadedBy: integer('uploaded_by'),
  messageId: integer('message_id'),
  position: integer('position'),
  bytes: bytes('bytes').notNull(),
  small: bytes('small').notNull(),
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  createdAt: createdAt(),
})

/** Texts that administrators insert into replies. */
export const cannedReplies = pgTable('canned_replies', {
  id: id(),
  name: text('name').notNull(),
  body: text('body').notNull(),
  createdAt: createdAt(),
  version: version(),
})
