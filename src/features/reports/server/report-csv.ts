import { type CsvColumns, csvColumns } from '#server/http/csv/csv.ts'
import type { AdminReport } from '../admin-contract.ts'
import { reportHeadings } from '../report-headings.ts'

export const reportCsvColumns: CsvColumns<AdminReport> = csvColumns(reportHeadings, [
  'id',
  'username',
  'email',
  'contentType',
  'contentName',
  'issue',
  'description',
  'status',
  'createdAt',
  'resolvedAt',
  'adminNotes',
])
