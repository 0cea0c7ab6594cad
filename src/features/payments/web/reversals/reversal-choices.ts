import type { PaymentDetail, ReversedPayment } from '../../admin-contract.ts'
import { centsLeft, moneyText, takenFrom } from '../../rules.ts'
import { type Choice, notOursChoice } from '../decisions.ts'

/** Names where the money of a payment is, as used in "Invoice ORD-7F3K2G". */
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

/** Returns the possible decisions about money that a provider took back: to take it from one of the payments, to absorb the loss, or to mark it as not ours. */
export function choicesForReversal(payment: PaymentDetail): Choice[] {
  const amount = moneyText(payment.openCents, payment.currency)
  // If the loss is absorbed, the payer is only marked if it is certain which payment was taken back.
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

/** Returns how many cents of a payment are still in the account. */
export const remainingCents = ({ openCents, allocations }: ReversedPayment): number => centsLeft(openCents, allocations)

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
      invoices.length > 0 ? ' The invoice will be open again, and its paid time will end.' : ''
    }`,
    button: `Take Back ${amount}`,
    decision: { action: 'take_back', reversesId: each.paymentId },
  }
}
