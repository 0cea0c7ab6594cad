import { type CsvColumns, csvColumns } from '#server/http/csv/csv.ts'
import type { AdminInquiry } from '../admin-contract.ts'
import { inquiryHeadings } from '../inquiry-headings.ts'

export const inquiryCsvColumns: CsvColumns<AdminInquiry> = csvColumns(inquiryHeadings, [
  'id',
  'name',
  'email',
  'planName',
  'message',
  'newsletterOpt',
  'createdAt',
  'status',
  'answeredAt',
  'adminNotes',
])
