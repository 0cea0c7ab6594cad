import type { AdminInvoice } from './admin-contract.ts'

/** The headings of the invoice list, in its table and its CSV file. */
export const invoiceHeadings = {
  invoiceNumber: 'Invoice #',
  username: 'Customer',
  email: 'Email',
  planName: 'Plan',
  description: 'Description',
  amount: 'Amount',
  status: 'Status',
  paymentMethod: 'Payment Method',
  paymentNote: 'Payment Note',
  confirmationCode: 'Confirmation Code',
  duplicateCode: 'Code Used Twice',
  similarCode: 'Code Similar To',
  refund: 'Refund',
  createdAt: 'Created Date',
  submittedAt: 'Submitted Date',
  paidAt: 'Payment Date',
  expiresAt: 'Expiry Date',
} satisfies Partial<Record<keyof AdminInvoice, string>>
