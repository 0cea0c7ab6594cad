export const processors = ['stripe', 'btcpay'] as const
export type Processor = (typeof processors)[number]
export const processorNames: Record<Processor, string> = { stripe: 'Stripe', btcpay: 'BTCPay Server' }
/** The path to which a processor sends its events, relative to the base URL of the site. */
export const webhookPaths: Record<Processor, string> = {
  stripe: '/api/webhooks/stripe',
  btcpay: '/api/webhooks/btcpay',
}

/** The event types that an operator selects at the processor. Events of other types are answered but have no effect. */
export const eventsToSelect: Record<Processor, readonly string[]> = {
  stripe: [
    'checkout.session.completed',
    'checkout.session.async_payment_succeeded',
    'refund.created',
    'refund.updated',
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.funds_reinstated',
  ],
  btcpay: [
    'InvoiceSettled',
    'InvoiceExpired',
    'InvoiceExpiredPaidPartial',
    'InvoicePaidAfterExpiration',
    'InvoiceInvalid',
  ],
}

/** The maximum number of signing secrets that a processor can have at the same time. */
export const maxSigningSecrets = 4

export const eventOutcomes = ['payment', 'reversal', 'waiting', 'test', 'ignored', 'review'] as const
export type EventOutcome = (typeof eventOutcomes)[number]
export const outcomeTexts: Record<EventOutcome, string> = {
  payment: 'Payment on the desk',
  reversal: 'Money taken back',
  waiting: 'Waiting',
  test: 'Test, not recorded',
  ignored: 'No effect',
  review: 'To review',
}

const reasons: Record<string, string> = {
  unknown_event: 'Events of this kind have no effect.',
  unpaid: 'The checkout ended without a payment. If the money arrives later, another event reports it.',
  no_money: 'Nothing was due.',
  refund_pending: 'The refund has not succeeded yet.',
  inquiry: 'The bank only inquires about the payment. No money was taken back.',
  other_store: 'The event is about another store.',
  unpaid_invoice: 'The invoice at BTCPay Server expired without a payment.',
  unreadable: 'The event lacks expected fields. Check the payment at the processor and record it by hand.',
  amount: 'The amount cannot be recorded. Check the payment at the processor and record it by hand.',
  reinstated: 'Money that a dispute took back was returned to you. Decide about its payment manually.',
  partial: 'Only a part was paid before the invoice at BTCPay Server expired. Record that part by hand.',
  late: 'The invoice at BTCPay Server was paid after it had expired. Record the payment by hand.',
  marked: 'The invoice was marked as paid by hand at BTCPay Server. Record the payment by hand if the money arrived.',
  invalid: 'BTCPay Server no longer counts a payment that is recorded here. Decide about it manually.',
  not_settled: 'BTCPay Server does not confirm that this invoice is paid.',
  invoice_unknown: 'BTCPay Server has no such invoice in this store.',
  no_key: 'The amount cannot be read from BTCPay Server: an API key is missing.',
  refused_key: 'BTCPay Server refused the API key. It needs the permission to view invoices.',
  unreachable: 'BTCPay Server cannot be reached, so the amount is not known.',
  payment_unknown: 'The payment that was taken back is not recorded here.',
  recorded_refund: 'The refund that was planned here was sent.',
}
/** Returns why an event has no effect or has to be reviewed. */
export function eventReason(reason: string): string {
  if (Object.hasOwn(reasons, reason)) return reasons[reason]!
  return `The event could not be processed (${reason}).`
}

const refusals: Record<string, string> = {
  not_signed: 'it has no valid signature header',
  bad_signature: 'its signature matches none of the secrets',
  old_signature: 'its signature is too old or from the future. Check the clock of this server',
  malformed_event: 'it does not contain a valid event',
}
/** Returns a clause about the refused request. It is shown between "A request was refused 5 minutes ago:" and a period. */
export const refusalText = (refusal: string): string =>
  Object.hasOwn(refusals, refusal) ? refusals[refusal]! : refusal
