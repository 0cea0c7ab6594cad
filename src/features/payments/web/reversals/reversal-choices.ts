import type { PaymentDetail, ReversedPayment } from '../../admin-contract.ts'
import { moneyText } from '../../rules.ts'
import { type Choice, notOursChoice } from '../decisions.ts'

/** Where the money of a payment is: "Invoice ORD-7F3K2G". */
export const allocationNames: Record<PaymentDetail['allocations'][number]['target'], string> = {
  invoice: 'Invoice',
  hold: 'Held for invoice',
  credit: 'Account credit',
  refund_due: 'To send back',
  refund_sent: 'Sent back',
  not_ours: 'Not ours',
  taken_back: 'Taken back by the provider',
  borne: 'Borne by us',
}

/** The decisions about money that a provider took back: from one of the payments, or borne. */
export function choicesForReversal(payment: PaymentDetail): Choice[] {
  const amount = moneyText(payment.openCents, payment.currency)
  const [first] = payment.reversed
  return [
    ...payment.reversed
      .filter((each) => leftOf(each) === payment.openCents)
      .map((each) => takeBackChoice(each, amount, payment.currency)),
    {
      key: 'bear',
      title: `Bear the ${amount}`,
      description:
        'Invoice, subscription and credit stay as they are. Further payments of this payer wait for a person.',
      button: `Bear ${amount}`,
      decision: { action: 'bear', ...(first && { reversesId: first.paymentId }) },
    },
    notOursChoice,
  ]
}

/** The cents of a payment that were neither sent nor taken back. */
export const leftOf = ({ openCents, allocations }: ReversedPayment): number =>
  allocations.reduce(
    (sum, { target, amount }) => (target === 'taken_back' || target === 'refund_sent' ? sum : sum + amount),
    openCents,
  )

function takeBackChoice(each: ReversedPayment, amount: string, currency: string): Choice {
  const invoices = each.allocations.flatMap(
    ({ target, invoiceNumber }) => (target === 'invoice' && invoiceNumber) || [],
  )
  return {
    key: `take-back-${each.paymentId}`,
    title: invoices.length > 0 ? `Reopen ${invoices.join(', ')}` : `Take it from the payment of ${each.paidOn}`,
    description: `${each.payer || 'Unknown sender'} paid ${moneyText(each.amount, currency)} on ${each.paidOn}.${
      invoices.length > 0 ? ' The invoice is open again and its time ends.' : ''
    }`,
    button: `Take Back ${amount}`,
    decision: { action: 'take_back', reversesId: each.paymentId },
  }
}
