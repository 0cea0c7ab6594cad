import type { PaymentMethods } from '#features/settings/contract.ts'
import { formatCents } from '#kit/money.ts'
import type { InvoiceDetail } from '../contract.ts'
import {
  methodNames,
  noRecipientText,
  offeredMethods,
  payLink,
  paymentNoteFor,
  recipientOf,
  securePaymentLink,
} from '../rules.ts'

export type Instruction = { text: string; link?: string | undefined }

/** Returns the payment instructions of an open invoice, the same as on its page; empty for a closed invoice. Specification 2, Invoice detail. */
export function paymentInstructions(
  { invoice, user, status }: InvoiceDetail,
  paymentSettings: PaymentMethods,
): Instruction[] {
  if (status !== 'pending' && status !== 'draft') return []
  const { amount, paymentMethod: method } = invoice
  if (amount === 0)
    return [
      {
        text:
          status === 'draft'
            ? 'There is nothing left to pay. Continue the checkout to confirm your order.'
            : 'There is nothing left to pay. The change takes effect once an administrator approves it.',
      },
    ]
  const sum = formatCents(amount)
  const note = paymentNoteFor(paymentSettings.notePrefix, invoice)
  const transfer = (by: 'cashapp' | 'venmo'): string => {
    const to = recipientOf(by, paymentSettings)
    return to === null
      ? noRecipientText(by)
      : `Send ${sum} to ${to} with the note “${note}”.${by === 'venmo' ? ' Set the payment to private.' : ''}`
  }

  if (method === null)
    return [
      { text: `Choose how to pay ${sum}:` },
      ...offeredMethods(paymentSettings).map((by) => ({
        text: `${methodNames[by]}: ${by === 'creditcard' ? 'A secure payment link will be emailed to you.' : transfer(by)}`,
      })),
    ]
  if (method === 'creditcard') {
    const link = securePaymentLink(invoice)
    const hours = paymentSettings.cardHours === 1 ? '1 hour' : `${paymentSettings.cardHours} hours`
    return [
      { text: `A secure payment link will be emailed to ${user.email}.` },
      { text: `Your subscription is activated after verification, typically within ${hours}.` },
      { text: 'No email within 15 minutes? Check your spam folder, then contact support.' },
      ...(link ? [{ text: 'Open the secure payment page', link }] : []),
    ]
  }
  if (recipientOf(method, paymentSettings) === null) return [{ text: noRecipientText(method) }]
  return [
    { text: transfer(method) },
    {
      text: 'Enter the note exactly as shown, so that we can match your payment. Send the amount in one payment.',
    },
    { text: `Open ${methodNames[method]}`, link: payLink(method, paymentSettings, amount, note) },
  ]
}
