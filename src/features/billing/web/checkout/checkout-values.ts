import type { PaymentMethods } from '#features/settings/contract.ts'
import type { Invoice, InvoiceDetail, PaymentMethod } from '../../contract.ts'
import { emailIn, offeredMethods, paymentFieldsFor, recipientOf } from '../../rules.ts'

export type NoteReference = Pick<Invoice, 'invoiceNumber' | 'paymentReference'>
export const nothingToPay = { paymentMethod: null, confirmationCode: '', paymentNote: '' }
export const emptyFields = { confirmationCode: '', paymentNote: '' }
export const detailsFrom = (detail: InvoiceDetail | undefined) =>
  detail && { planId: detail.invoice.planId, email: emailIn(detail.customerDetails) ?? detail.user.email }
/** Returns the initial values of the payment form: those submitted before (for a reopened invoice), or else the method `first` and the note of the order. */
export function paymentFrom(detail: InvoiceDetail | undefined, note: string, first: PaymentMethod = 'cashapp') {
  const paymentMethod: PaymentMethod = detail?.invoice.paymentMethod ?? first
  const { paymentNote } = paymentFieldsFor(paymentMethod, emptyFields, note)
  return {
    paymentMethod,
    confirmationCode: detail?.invoice.confirmationCode ?? '',
    paymentNote: detail?.invoice.paymentNote ?? paymentNote,
  }
}
/**
 * Returns the initially selected method: the first enabled method that can receive money, or else the first enabled method. A payment app without a
 * handle cannot receive money yet.
 */
export function firstMethod(payments: PaymentMethods): PaymentMethod | undefined {
  const offered = offeredMethods(payments)
  return offered.find((method) => method === 'creditcard' || recipientOf(method, payments) !== null) ?? offered[0]
}
