import { type CsvColumns, csvColumns } from '#server/http/csv/csv.ts'
import type { AdminTicket } from '../admin-contract.ts'
import { ticketHeadings } from '../ticket-headings.ts'

export const ticketCsvColumns: CsvColumns<AdminTicket> = csvColumns(ticketHeadings, [
  'id',
  'kind',
  'subject',
  'from',
  'email',
  'status',
  'assignee',
  'createdAt',
  'lastMessageAt',
  'waitingSince',
])
