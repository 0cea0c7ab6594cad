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
})
