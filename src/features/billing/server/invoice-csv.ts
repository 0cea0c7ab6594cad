import { type CsvColumns, csvColumns } from '#server/http/csv/csv.ts'
import type { AdminInvoice } from '../admin-contract.ts'
import { invoiceHeadings } from '../invoice-headings.ts'

/** The CSV columns of an invoice. Payment links are left out because anyone who has one can open the payment page. */
export const invoiceCsvColumns: CsvColumns<AdminInvoice> = csvColumns(invoiceHeadings, [
  'invoiceNumber',
  'username',
  'email',
  'planName',
  'description',
  [`${invoiceHeadings.amount} (cents)`, (invoice) => invoice.amount],
  'status',
  'paymentMethod',
  'paymentNote',
  'confirmationCode',
  [invoiceHeadings.duplicateCode, (invoice) => (invoice.duplicateCode ? 'yes' : 'no')],
  'similarCode',
  'refund',
  'createdAt',
  'submittedAt',
  'paidAt',
  'expiresAt',
])
