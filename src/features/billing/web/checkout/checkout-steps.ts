import type { Invoice } from '../../contract.ts'
import { asksForPayment } from '../../rules.ts'

export const steps = ['details', 'payment', 'confirmation', 'processing', 'complete'] as const
export type Step = (typeof steps)[number]

export type Checkout = {
  step: Step
  /** Null until the server has created the invoice. */
  invoiceNumber: string | null
  /** Whether the invoice named in the URL is still loading. */
  restoring: boolean
  /** The invoice number from the URL if the customer has no such invoice. */
  notFoundNumber: string | null
  /** The order was closed; `step` keeps the step it had reached. */
  closed: 'cancelled' | 'expired' | 'refunded' | null
  /** The number of the request in flight. Responses to any other attempt are outdated and ignored. */
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

/** The initial state: the details step, or the step that matches the invoice named in the URL. */
export function openCheckout(invoiceNumber: string | undefined, invoice: InvoiceState | undefined): Checkout {
  if (!invoiceNumber) return initialState
  const restoring = { ...initialState, invoiceNumber, restoring: true }
  return invoice ? nextStep(restoring, { type: 'invoice_changed', invoice }) : restoring
}

/** The reducer of the checkout. Events that do not fit the current step are ignored. Specification 4, Checkout progress. */
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

/** Applies the server's state of the invoice, which takes precedence: another tab, an administrator or an expiry may have changed it. */
function afterUpdate(state: Checkout, invoice: InvoiceState): Checkout {
  const known = { ...state, restoring: false }
  if (invoice.status === 'paid') return { ...known, step: 'complete', closed: null, pendingAttempt: null }
  if (invoice.status === 'cancelled' || invoice.status === 'expired' || invoice.status === 'refunded') {
    // A new order is replacing this one, so its cancellation is expected.
    return state.step === 'details' && state.pendingAttempt !== null
      ? known
      : { ...known, closed: invoice.status, pendingAttempt: null }
  }
  if (!asksForPayment(invoice)) return { ...known, step: 'processing', closed: null, pendingAttempt: null }
  // Account credit that covered the whole order was removed.
  const isDueAgain = state.step === 'processing' && invoice.status === 'pending'
  if (state.restoring || state.closed || state.step === 'complete' || isDueAgain)
    return { ...known, step: 'payment', closed: null }
  return known
}
