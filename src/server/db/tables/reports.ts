import { sql } from 'drizzle-orm'
import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
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

/** Incidents of the service, shown on the status page. `plannedUntil` is when maintenance ends automatically. */
export const incidents = pgTable('incidents', {
  id: id(),
  kind: oneOf('kind', ['problem', 'outage', 'maintenance']),
  title: text('title').notNull(),
  startsAt: instant('starts_at').notNull(),
  plannedUntil: instant('planned_until'),
  endedAt: instant('ended_at'),
  withdrawnAt: instant('withdrawn_at'),
  begun: boolean('begun').notNull(),
  caseId: integer('case_id'),
  notifies: boolean('notifies').notNull().default(false),
  createdBy: integer('created_by').notNull(),
  createdAt: createdAt(),
  version: version(),
})

/** The channel categories and channels that an incident affects. An incident without rows affects the whole service. */
export const incidentTargets = pgTable('incident_targets', {
  incidentId: integer('incident_id').primaryKey(),
  scope: text('scope', { enum: ['category', 'channel'] }).primaryKey(),
  name: text('name').primaryKey(),
})

/** What was published about an incident. */
export const incidentUpdates = pgTable('incident_updates', {
  id: id(),
  incidentId: integer('incident_id').notNull(),
  body: text('body').notNull(),
  createdBy: integer('created_by'),
  createdAt: createdAt(),
})
