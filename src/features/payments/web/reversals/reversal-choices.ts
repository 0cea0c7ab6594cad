import type { PaymentDetail, ReversedPayment } from '../../admin-contract.ts'
import { centsLeft, moneyText, takenFrom } from '../../rules.ts'
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
  borne: 'Loss absorbed',
}

/** The decisions about money that a provider took back: from one of the payments, or from none, as a loss. */
export function choicesForReversal(payment: PaymentDetail): Choice[] {
  const amount = moneyText(payment.openCents, payment.currency)
  // The payer is marked only if it is certain which payment was taken back.
  const certain =
    payment.reversed.find(({ isNamed }) => isNamed) ?? (payment.reversed.length === 1 ? payment.reversed[0] : undefined)
  return [
    ...payment.reversed.flatMap((each) => {
      const taken = takenFrom(payment.openCents, each.openCents, each.allocations)
      return taken ? [takeBackChoice(each, taken, amount, payment.currency)] : []
    }),
    {
      key: 'bear',
      title: `Absorb the loss of ${amount}`,
      description: `Invoice, subscription and credit stay as they are.${certain ? ' Further payments of this payer are never confirmed automatically.' : ''}`,
      button: `Absorb ${amount}`,
      decision: { action: 'bear', ...(certain && { reversesId: certain.paymentId }) },
    },
    notOursChoice,
  ]
}

/** The cents of a payment that can be taken back as a whole. */
export const leftOf = ({ openCents, allocations }: ReversedPayment): number => centsLeft(openCents, allocations)

function takeBackChoice(
  each: ReversedPayment,
  taken: ReversedPayment['allocations'],
  amount: string,
  currency: string,
): Choice {
  const invoices = taken.flatMap(({ target, invoiceNumber }) => (target === 'invoice' && invoiceNumber) || [])
  return {
    key: `take-back-${each.paymentId}`,
    title: invoices.length > 0 ? `Reopen ${invoices.join(', ')}` : `Take it from the payment of ${each.paidOn}`,
    description: `${each.payer || 'Unknown sender'} paid ${moneyText(each.amount, currency)} on ${each.paidOn}.${
      invoices.length > 0 ? ' The invoice is open again and its paid time ends.' : ''
    }`,
    button: `Take Back ${amount}`,
    decision: { action: 'take_back', reversesId: each.paymentId },
  }
}
