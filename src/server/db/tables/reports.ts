import { sql } from 'drizzle-orm'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, id, instant, oneOf, version } from '../columns.ts'

export const reports = pgTable('reports', {
  id: id(),
  userId: integer('user_id').notNull(),
  contentType: oneOf('content_type', ['channel', 'movie', 'tvshow']),
  contentName: text('content_name').notNull(),
  issue: oneOf('issue', ['not_working', 'poor_quality', 'wrong_content', 'buffering', 'other']),
  description: text('description'),
  status: oneOf('status', ['pending', 'reviewing', 'resolved', 'dismissed']).default('pending'),
  createdAt: createdAt(),
  resolvedAt: instant('resolved_at'),
  adminNotes: text('admin_notes'),
  version: version(),
  caseId: integer('case_id'),
})

/** All reports on the same content, whatever its spelling. */
export const reportCases = pgTable('report_cases', {
  id: id(),
  caseKey: text('case_key').notNull(),
  title: text('title').notNull(),
  channelId: integer('channel_id'),
  createdAt: createdAt(),
  solvedAt: instant('solved_at'),
  version: version(),
})

/** Spellings that an administrator assigned to another case. */
export const reportSpellings = pgTable('report_spellings', {
  spelling: text('spelling').primaryKey(),
  caseKey: text('case_key').notNull(),
  setAt: instant('set_at').notNull().default(sql`now()`),
})
