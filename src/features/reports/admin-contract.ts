// Admin endpoints of reports.
import * as z from 'zod/mini'
import { get, put } from '#kit/endpoint.ts'
import { csvOf, listQuery } from '#kit/lists.ts'
import { id, idParam, paragraph, rowVersion } from '#kit/text.ts'
import { report, reportStatus } from './contract.ts'

export const adminReport = z.extend(report, { username: z.string(), email: z.string(), version: rowVersion })
export type AdminReport = z.output<typeof adminReport>
export const reportSorts = ['createdAt', 'status'] as const
export const reportListQuery = listQuery(reportSorts, { status: z.optional(reportStatus) })
export const listAllReports = get('/api/admin/reports', {
  summary: 'Reports of all customers, newest first',
  access: 'admin',
  needs: 'reports.read',
  dependsOn: ['report'],
  paged: true,
  query: reportListQuery,
  output: z.array(adminReport),
})
export const exportReports = csvOf('/admin/reports.csv', {
  needs: 'reports.read',
  summary: 'Reports of all customers as CSV',
  query: reportListQuery,
})

export const reportDecision = z.object({
  status: reportStatus,
  /** The notes are not changed if missing, and cleared if empty or null. */
  adminNotes: z.optional(z.nullable(paragraph(0, 2000, ''))),
  /** The version that the administrator saw; a stale version is refused. */
  version: z.optional(rowVersion),
})
export const updateReport = put('/api/admin/reports/:reportId', {
  summary: 'Set a report’s status and notes',
  access: 'admin',
  needs: 'reports.edit',
  limit: 'adminWrite',
  params: z.object({ reportId: idParam }),
  body: reportDecision,
  output: adminReport,
})

export const reportsDecision = z.object({
  status: reportStatus,
  reports: z
    .array(z.object({ id, version: rowVersion }))
    .check(z.minLength(1, 'Please select at least one report'), z.maxLength(100, 'Please select at most 100 reports')),
})
/** The result of a bulk update: the ids of the changed reports, and the reason for each unchanged report. */
export const reportsChange = z.object({
  changed: z.array(id),
  unchanged: z.array(z.object({ id, reason: z.string() })),
})
export type ReportsChange = z.output<typeof reportsChange>
export const updateReports = put('/api/admin/reports', {
  summary: 'Set the status of several reports; returns which were changed, and why the others were not',
  access: 'admin',
  needs: 'reports.edit',
  limit: 'adminWrite',
  body: reportsDecision,
  output: reportsChange,
})
