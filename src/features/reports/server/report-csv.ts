import type { Cells } from '#server/http/csv/csv.ts'
import type { AdminReport } from '../admin-contract.ts'

export const reportCsvColumns: Cells<AdminReport> = {
  ID: (report) => report.id,
  User: (report) => report.username,
  Email: (report) => report.email,
  'Content Type': (report) => report.contentType,
  'Content Name': (report) => report.contentName,
  Issue: (report) => report.issue,
  Description: (report) => report.description,
  Status: (report) => report.status,
  Submitted: (report) => report.createdAt,
  Resolved: (report) => report.resolvedAt,
  'Admin Notes': (report) => report.adminNotes,
}
