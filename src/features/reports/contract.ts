import * as z from 'zod/mini'
import { get, post, put } from '#kit/endpoint.ts'
import { id, idText, instant, line, paragraph } from '#kit/text.ts'

export const contentType = z.enum(['channel', 'movie', 'tvshow'], 'Please select the content type')
export type ContentType = z.output<typeof contentType>
export const reportIssue = z.enum(['not_working', 'poor_quality', 'wrong_content', 'buffering', 'other'], 'Please select the issue type')
export type ReportIssue = z.output<typeof reportIssue>
export const reportStatus = z.enum(['pending', 'reviewing', 'resolved', 'dismissed'])

/** A report as its author sees it: the notes only once somebody has looked at it. */
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
  contentName: line(1, 120, 'Content name is required'),
  issue: reportIssue,
  description: z.optional(z.nullable(paragraph(0, 2000, ''))),
})

export const listReports = get('/api/reports', { summary: 'Own reports, newest first', access: 'member', output: z.array(report) })
export const createReport = post('/api/reports', {
  summary: 'Report a problem with a channel, a movie or a show',
  access: 'member',
  limit: 'report',
  /** `userId` is compared with the session, never believed. */
  body: z.extend(reportForm, { userId: z.optional(z.nullable(id)) }),
  output: report,
})

export const adminReport = z.extend(report, { username: z.string(), email: z.string() })
export type AdminReport = z.output<typeof adminReport>
export const reportSorts = ['createdAt', 'status'] as const
export const reportListQuery = z.object({
  page: z.optional(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(1_000_000))),
  pageSize: z.optional(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(500))),
  sort: z.optional(z.enum(reportSorts)),
  order: z.optional(z.enum(['asc', 'desc'])),
  search: z.optional(line(0, 254, '')),
  status: z.optional(reportStatus),
})
export const listAllReports = get('/api/admin/reports', {
  summary: 'Reports of all customers, newest first',
  access: 'admin',
  paged: true,
  query: reportListQuery,
  output: z.array(adminReport),
})
export const reportDecision = z.object({
  status: reportStatus,
  /** Left out they stay as they are, empty or null clears them. */
  adminNotes: z.optional(z.nullable(paragraph(0, 2000, ''))),
})
export const updateReport = put('/api/admin/reports/:reportId', {
  summary: 'Set a report’s status and notes',
  access: 'admin',
  limit: 'adminWrite',
  params: z.object({ reportId: idText }),
  body: reportDecision,
  output: adminReport,
})
