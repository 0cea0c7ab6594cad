// Admin endpoints of cases. A case contains all reports on the same content.
import * as z from 'zod/mini'
import { get, type Output, post, put } from '#kit/endpoint.ts'
import { id, idParam, instant, paragraph, rowVersion } from '#kit/text.ts'
import { reportIssue, reportStatus } from './contract.ts'

const reportCase = z.object({
  id,
  /** The name of the channel in the catalog; otherwise the content name of the first report. */
  title: z.string(),
  channelId: z.nullable(id),
  createdAt: instant,
  solvedAt: z.nullable(instant),
  version: rowVersion,
  /** The number of reports waiting for a decision: pending or under review. */
  open: z.int(),
  /** The number of customers who sent them. */
  reporters: z.int(),
})
/** The maximum number of open cases in the list. */
export const casesShown = 200
export const listReportCases = get('/api/admin/report-cases', {
  summary: `The open cases of reports, oldest first, at most ${casesShown}`,
  access: 'admin',
  needs: 'reports.read',
  dependsOn: ['report'],
  output: z.array(reportCase),
})
export type ReportCase = Output<typeof listReportCases>[number]

const params = z.object({ caseId: idParam })
/** The maximum number of reports that are returned with a case. */
export const caseReportsShown = 200
export const getReportCase = get('/api/admin/report-cases/:caseId', {
  summary: `A case with its newest ${caseReportsShown} reports`,
  access: 'admin',
  needs: 'reports.read',
  dependsOn: ['report'],
  params,
  output: z.extend(reportCase, {
    reports: z.array(
      z.object({
        id,
        userId: id,
        username: z.string(),
        contentName: z.string(),
        issue: reportIssue,
        description: z.nullable(z.string()),
        status: reportStatus,
        createdAt: instant,
      }),
    ),
  }),
})
export type ReportCaseDetails = Output<typeof getReportCase>

export const caseDecision = z.object({
  status: z.enum(['reviewing', 'resolved', 'dismissed']),
  /** The note to the reporters. The notes are not changed if it is missing or empty. */
  adminNotes: z.optional(z.nullable(paragraph(0, 2000, ''))),
})
export const decideReportCase = put('/api/admin/report-cases/:caseId', {
  summary:
    'Set the status of all waiting reports of a case. Each reporter is emailed once when the reports are resolved or dismissed',
  access: 'admin',
  needs: 'reports.edit',
  limit: 'adminWrite',
  params,
  /** The version that the administrator saw; a stale version is refused. */
  body: z.extend(caseDecision, { version: z.optional(rowVersion) }),
  output: getReportCase.output,
})
export const mergeReportCases = post('/api/admin/report-cases/:caseId/merge', {
  summary:
    'Move the waiting reports of a case to another open case. Later reports with the same spellings are added to that case too',
  access: 'admin',
  needs: 'reports.edit',
  limit: 'adminWrite',
  params,
  body: z.object({ into: id }),
  output: getReportCase.output,
})
export const splitReport = post('/api/admin/reports/:reportId/split', {
  summary:
    'Move a waiting report, with all waiting reports that have the same spelling of the content name, to a separate case',
  access: 'admin',
  needs: 'reports.edit',
  limit: 'adminWrite',
  params: z.object({ reportId: idParam }),
  output: getReportCase.output,
})
