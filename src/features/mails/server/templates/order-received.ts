import * as z from 'zod/mini'
import { methodNames, noRecipientText, payLink, paymentNoteFor, recipientOf } from '#features/billing/rules.ts'
import type { Block } from '#kit/letter.ts'
import { formatCents } from '#kit/money.ts'
import { type Desk, template } from '../template.ts'
import { button, hours, invoiceFacts, invoiceUrl, note, present, rows, text } from '../words.ts'

const data = z.object({
  ...invoiceFacts,
  /** What the note names instead of the number, where notes are phrases. */
  paymentReference: z.optional(z.nullable(z.string())),
  paymentMethod: z.nullable(z.enum(['cashapp', 'venmo', 'creditcard'])),
})
type Order = z.output<typeof data>

export const orderReceived = template({
  title: 'Order received',
  data,
  sample: {
    invoiceNumber: 'ORD-7K2M9Q',
    planName: 'Little Beast: 2 Connections',
    amount: 2_499,
    paymentMethod: 'cashapp',
  },
  write: (order, desk) => ({
    subject: `We received your order ${order.invoiceNumber}`,
    preview:
      order.amount === 0
        ? 'Nothing is left to pay. We check it and activate your plan.'
        : `How to pay ${formatCents(order.amount)}, and what happens next.`,
    heading: 'Thank you for your order',
    blocks: present(
      rows(
        ['Invoice', order.invoiceNumber],
        ['Plan', order.planName],
        ['Amount', formatCents(order.amount)],
        ['Payment method', order.paymentMethod && methodNames[order.paymentMethod]],
      ),
      ...howToPay(order, desk),
      button('Open my invoice', invoiceUrl(desk, order.invoiceNumber)),
    ),
    reason: 'You get this mail because you placed an order.',
  }),
})

/** What is left to do, by method; the amount and the note are the ones the invoice's page shows. */
function howToPay(
  { amount, paymentMethod: method, invoiceNumber, paymentReference = null }: Order,
  { payments }: Desk,
): Block[] {
  const checked = `We check every payment by hand. This may take up to ${hours(payments.verificationHours)}.`
  if (amount === 0 || method === null)
    return [
      text(
        `Nothing is left to pay. An administrator checks your order and activates it within ${hours(payments.verificationHours)}.`,
      ),
    ]
  if (method === 'creditcard')
    return [
      text('We e-mail you a secure payment link, usually within 15 minutes. Please look into your spam folder too.'),
      note(
        `Your subscription is activated after verification, typically within ${hours(payments.cardHours)} of your payment.`,
      ),
    ]
  const typed = paymentNoteFor(payments.notePrefix, { invoiceNumber, paymentReference })
  const to = recipientOf(method, payments)
  if (to === null) return [text(noRecipientText(method)), note(checked)]
  const link = payLink(method, payments, amount, typed)
  return present(
    text('If you have not paid yet, send the amount in one payment:'),
    rows(['Send', formatCents(amount)], ['To', to], ['Note', typed]),
    link && button(`Open ${methodNames[method]}`, link),
    note(
      method === 'venmo'
        ? `Type the note exactly as above and set the payment to private. ${checked}`
        : `Type the note exactly as above, so that we can match your payment. ${checked}`,
    ),
  )
}
