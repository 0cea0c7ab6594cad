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
  lost: string | null
  /** The order ended without a payment; the step it ended at stays known. */
  closed: 'cancelled' | 'expired' | 'refunded' | null
  /** The write whose answer is awaited. Answers to any other are late and change nothing. */
  awaited: number | null
}

export type Heard = Pick<Invoice, 'invoiceNumber' | 'status' | 'submittedAt' | 'amount'>
export type CheckoutEvent =
  | { type: 'creating'; attempt: number }
  | { type: 'created'; attempt: number; invoiceNumber: string }
  | { type: 'kept' }
  | { type: 'submitting'; attempt: number }
  | { type: 'submitted'; attempt: number }
  | { type: 'failed'; attempt: number }
  | { type: 'back' }
  | { type: 'heard'; invoice: Heard }
  | { type: 'unknown' }

const blank: Checkout = {
  step: 'details',
  invoiceNumber: null,
  restoring: false,
  lost: null,
  closed: null,
  awaited: null,
}

/** Where the checkout opens: at the details, or where the invoice named in the address left off. */
export function openCheckout(invoiceNumber: string | undefined, invoice: Heard | undefined): Checkout {
  if (!invoiceNumber) return blank
  const restoring = { ...blank, invoiceNumber, restoring: true }
  return invoice ? nextStep(restoring, { type: 'heard', invoice }) : restoring
}

/** The step after an event (specification 4, Checkout progress). What does not fit the step changes nothing. */
export function nextStep(state: Checkout, event: CheckoutEvent): Checkout {
  const idle = state.awaited === null && !state.restoring && !state.closed
  switch (event.type) {
    case 'creating':
      return idle && state.step === 'details' ? { ...state, awaited: event.attempt } : state
    case 'submitting':
      return idle && state.step === 'payment' && state.invoiceNumber
        ? { ...state, step: 'confirmation', awaited: event.attempt }
        : state
    case 'created':
      return state.awaited === event.attempt && state.step === 'details'
        ? { ...blank, step: 'payment', invoiceNumber: event.invoiceNumber }
        : state
    case 'submitted':
      return state.awaited === event.attempt && state.step === 'confirmation'
        ? { ...state, step: 'processing', awaited: null }
        : state
    case 'failed':
      return state.awaited === event.attempt
        ? { ...state, step: state.step === 'confirmation' ? 'payment' : state.step, awaited: null }
        : state
    case 'kept':
      return idle && state.step === 'details' && state.invoiceNumber ? { ...state, step: 'payment' } : state
    case 'back':
      return idle && state.step === 'payment' ? { ...state, step: 'details' } : state
    case 'unknown':
      return state.restoring ? { ...blank, lost: state.invoiceNumber } : state
    case 'heard':
      return event.invoice.invoiceNumber === state.invoiceNumber ? afterNews(state, event.invoice) : state
  }
}

/** The server's word on the invoice outranks what this page believes: another tab, an administrator or time may have acted. */
function afterNews(state: Checkout, invoice: Heard): Checkout {
  const known = { ...state, restoring: false }
  if (invoice.status === 'paid') return { ...known, step: 'complete', closed: null, awaited: null }
  if (invoice.status === 'cancelled' || invoice.status === 'expired' || invoice.status === 'refunded') {
    // A new order is being opened in place of this one: its cancellation is no news.
    return state.step === 'details' && state.awaited !== null
      ? known
      : { ...known, closed: invoice.status, awaited: null }
  }
  if (!asksForPayment(invoice)) return { ...known, step: 'processing', closed: null, awaited: null }
  // Credit that covered the whole order was taken off it again.
  const isDueAgain = state.step === 'processing' && invoice.status === 'pending'
  if (state.restoring || state.closed || state.step === 'complete' || isDueAgain)
    return { ...known, step: 'payment', closed: null }
  return known
}
