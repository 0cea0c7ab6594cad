import type { Invoice, InvoiceStatus } from './contract.ts'

/** What an administrator may do with an invoice; server and dialog ask the same table. `expired` is written by time alone. */
const allowedMoves: Record<InvoiceStatus, InvoiceStatus[]> = {
  draft: ['pending', 'paid', 'cancelled'],
  pending: ['paid', 'cancelled'],
  expired: ['pending', 'paid', 'cancelled'],
  paid: ['pending', 'cancelled'],
  cancelled: ['pending', 'paid'],
}
export const canMove = (from: InvoiceStatus, to: InvoiceStatus): boolean => allowedMoves[from].includes(to)

/** Draft and pending invoices past their date are expired for the customer, whether or not the job has written it yet. */
export const statusAt = (invoice: Pick<Invoice, 'status' | 'expiresAt'>, now: Date): InvoiceStatus =>
  (invoice.status === 'draft' || invoice.status === 'pending') && new Date(invoice.expiresAt) <= now ? 'expired' : invoice.status

/** Draft, or pending without a submitted payment (a plan change, a reopened invoice): the customer may still say how it was paid. */
export const awaitsPayment = (invoice: Pick<Invoice, 'status' | 'submittedAt'>): boolean =>
  invoice.status === 'draft' || (invoice.status === 'pending' && invoice.submittedAt === null)

const customerEmail = /^Email: (\S+)$/
/** `customerDetails` as the specification fixes it; built only from a validated address. */
export const customerDetailsFor = (email: string): string => `Email: ${email}`
/** The address in `customerDetails`, read from its first line only. */
export const emailIn = (customerDetails: string): string | undefined => customerEmail.exec(customerDetails.split('\n', 1)[0] ?? '')?.[1]

/** The note a customer types into the payment app. */
export const paymentNoteFor = (prefix: string, invoiceNumber: string): string => prefix + invoiceNumber
