import * as z from 'zod/mini'
import { get, post } from '#kit/endpoint.ts'
import { id, instant, paragraph, singleLine } from '#kit/text.ts'

export const contentType = z.enum(['channel', 'movie', 'tvshow'], 'Please select the content type')
export type ContentType = z.output<typeof contentType>
export const reportIssue = z.enum(
  ['not_working', 'poor_quality', 'wrong_content', 'buffering', 'other'],
  'Please select the issue type',
)
export type ReportIssue = z.output<typeof reportIssue>
export const reportStatus = z.enum(['pending', 'reviewing', 'resolved', 'dismissed'])
export type ReportStatus = z.output<typeof reportStatus>

/** A report as its author sees it. The notes are null while it is pending. */
export const report = z.object({
  id,
  userId: id,
  contentType,
  contentName: z.string(),
  issue: reportIssue,
  description: z.nullable(z.string()),
  status: reportStatus,
  createdAt: instant,
  resolvedAt: z.nullable(instant),
  adminNotes: z.nullable(z.string()),
})
export type Report = z.output<typeof report>

export const reportForm = z.object({
  contentType,
  contentName: singleLine(1, 120, 'Content name is required'),
  issue: reportIssue,
  description: z.optional(z.nullable(paragraph(0, 2000, ''))),
})

export const listReports = get('/api/reports', {
  summary: 'Own reports, newest first',
  access: 'member',
  dependsOn: ['report'],
  output: z.array(report),
})
export const createReport = post('/api/reports', {
  summary: 'Report a problem with a channel, a movie or a show',
  access: 'member',
  limit: 'report',
  /** `userId`, if present, must be that of the session. */
  body: z.extend(reportForm, { userId: z.optional(z.nullable(id)) }),
  output: report,
})
