import type { Invoice } from '../../contract.ts'
import { asksForPayment } from '../../rules.ts'

export const steps = ['details', 'payment', 'confirmation', 'processing', 'complete'] as const
export type Step = (typeof steps)[number]

export type Checkout = {
  step: Step
  /** The server's number; null until there is an invoice. */
  invoiceNumber: string | null
  /** The address named an invoice whose answer is not here yet. */
  restoring: boolean
  /** The number in the address that no invoice of this customer has. */
  notFoundNumber: string | null
  /** The order ended without a payment; the step it ended at stays known. */
  closed: 'cancelled' | 'expired' | 'refunded' | null
  /** The write whose answer is awaited. Answers to any other are late and change nothing. */
  pendingAttempt: number | null
}

export type InvoiceState = Pick<Invoice, 'invoiceNumber' | 'status' | 'submittedAt' | 'amount'>
export type CheckoutEvent =
  | { type: 'creating'; attempt: number }
  | { type: 'created'; attempt: number; invoiceNumber: string }
  | { type: 'unchanged' }
  | { type: 'submitting'; attempt: number }
  | { type: 'submitted'; attempt: number }
  | { type: 'failed'; attempt: number }
  | { type: 'back' }
  | { type: 'invoice_changed'; invoice: InvoiceState }
  | { type: 'not_found' }

const initialState: Checkout = {
  step: 'details',
  invoiceNumber: null,
  restoring: false,
  notFoundNumber: null,
  closed: null,
  pendingAttempt: null,
}

/** Where the checkout opens: at the details, or where the invoice named in the address left off. */
export function openCheckout(invoiceNumber: string | undefined, invoice: InvoiceState | undefined): Checkout {
  if (!invoiceNumber) return initialState
  const restoring = { ...initialState, invoiceNumber, restoring: true }
  return invoice ? nextStep(restoring, { type: 'invoice_changed', invoice }) : restoring
}

/** The step after an event (specification 4, Checkout progress). What does not fit the step changes nothing. */
export function nextStep(state: Checkout, event: CheckoutEvent): Checkout {
  const idle = state.pendingAttempt === null && !state.restoring && !state.closed
  switch (event.type) {
    case 'creating':
      return idle && state.step === 'details' ? { ...state, pendingAttempt: event.attempt } : state
    case 'submitting':
      return idle && state.step === 'payment' && state.invoiceNumber
        ? { ...state, step: 'confirmation', pendingAttempt: event.attempt }
        : state
    case 'created':
      return state.pendingAttempt === event.attempt && state.step === 'details'
        ? { ...initialState, step: 'payment', invoiceNumber: event.invoiceNumber }
        : state
    case 'submitted':
      return state.pendingAttempt === event.attempt && state.step === 'confirmation'
        ? { ...state, step: 'processing', pendingAttempt: null }
        : state
    case 'failed':
      return state.pendingAttempt === event.attempt
        ? { ...state, step: state.step === 'confirmation' ? 'payment' : state.step, pendingAttempt: null }
        : state
    case 'unchanged':
      return idle && state.step === 'details' && state.invoiceNumber ? { ...state, step: 'payment' } : state
    case 'back':
      return idle && state.step === 'payment' ? { ...state, step: 'details' } : state
    case 'not_found':
      return state.restoring ? { ...initialState, notFoundNumber: state.invoiceNumber } : state
    case 'invoice_changed':
      return event.invoice.invoiceNumber === state.invoiceNumber ? afterUpdate(state, event.invoice) : state
  }
}

/** The server's word on the invoice outranks what this page believes: another tab, an administrator or time may have acted. */
function afterUpdate(state: Checkout, invoice: InvoiceState): Checkout {
  const known = { ...state, restoring: false }
  if (invoice.status === 'paid') return { ...known, step: 'complete', closed: null, pendingAttempt: null }
  if (invoice.status === 'cancelled' || invoice.status === 'expired' || invoice.status === 'refunded') {
    // A new order is being opened in place of this one: its cancellation is no news.
    return state.step === 'details' && state.pendingAttempt !== null
      ? known
      : { ...known, closed: invoice.status, pendingAttempt: null }
  }
  if (!asksForPayment(invoice)) return { ...known, step: 'processing', closed: null, pendingAttempt: null }
  // Credit that covered the whole order was taken off it again.
  const isDueAgain = state.step === 'processing' && invoice.status === 'pending'
  if (state.restoring || state.closed || state.step === 'complete' || isDueAgain)
    return { ...known, step: 'payment', closed: null }
  return known
}
