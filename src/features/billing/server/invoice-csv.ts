import type { Cells } from '#server/http/csv/csv.ts'
import type { AdminInvoice } from '../admin-contract.ts'

/** The CSV columns of an invoice. Payment links are left out because anyone who has one can open the payment page. */
export const invoiceCsvColumns: Cells<AdminInvoice> = {
  'Invoice #': (invoice) => invoice.invoiceNumber,
  Customer: (invoice) => invoice.username,
  Email: (invoice) => invoice.email,
  Plan: (invoice) => invoice.planName,
  Description: (invoice) => invoice.description,
  'Amount (cents)': (invoice) => invoice.amount,
  Status: (invoice) => invoice.status,
  'Payment Method': (invoice) => invoice.paymentMethod,
  'Payment Note': (invoice) => invoice.paymentNote,
  'Confirmation Code': (invoice) => invoice.confirmationCode,
  'Code Used Twice': (invoice) => (invoice.duplicateCode ? 'yes' : 'no'),
  'Code Similar To': (invoice) => invoice.similarCode,
  Refund: (invoice) => invoice.refund,
  'Created Date': (invoice) => invoice.createdAt,
  'Submitted Date': (invoice) => invoice.submittedAt,
  'Payment Date': (invoice) => invoice.paidAt,
  'Expiry Date': (invoice) => invoice.expiresAt,
}
