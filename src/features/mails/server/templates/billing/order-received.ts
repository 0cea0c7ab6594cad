import * as z from 'zod/mini'
import { methodNames, noRecipientText, payLink, paymentNoteFor, recipientOf } from '#features/billing/rules.ts'
import type { Block } from '#kit/mail-body.ts'
import { formatCents } from '#kit/money.ts'
import { button, compactBlocks, countHours, facts, invoiceFields, invoiceUrl, note, text } from '../../mail-blocks.ts'
import { type TemplateContext, template } from '../../template.ts'

const data = z.object({
  ...invoiceFields,
  /** Used in the payment note instead of the invoice number when notes are phrases. */
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
  write: (order, context) => ({
    subject: `We received your order ${order.invoiceNumber}`,
    preview:
      order.amount === 0
        ? 'There is nothing left to pay. We will check your order and activate your plan.'
        : `How to pay ${formatCents(order.amount)} and what happens next.`,
    heading: 'Thank you for your order',
    blocks: compactBlocks(
      facts(
        ['Invoice', order.invoiceNumber],
        ['Plan', order.planName],
        ['Amount', formatCents(order.amount)],
        ['Payment method', order.paymentMethod && methodNames[order.paymentMethod]],
      ),
      ...paymentInstructions(order, context),
      button('Open my invoice', invoiceUrl(context, order.invoiceNumber)),
    ),
    reason: 'You received this email because you placed an order.',
  }),
})

/** How to pay, by payment method. The amount and the note match those on the invoice page. */
function paymentInstructions(
  { amount, paymentMethod: method, invoiceNumber, paymentReference = null }: Order,
  { payments }: TemplateContext,
): Block[] {
  const verification = `We verify every payment manually. This may take up to ${countHours(payments.verificationHours)}.`
  if (amount === 0 || method === null)
    return [
      text(
        `There is nothing left to pay. An administrator will check your order and activate it within ${countHours(payments.verificationHours)}.`,
      ),
    ]
  if (method === 'creditcard')
    return [
      text('We will email you a secure payment link, usually within 15 minutes. Please check your spam folder too.'),
      note(
        `Your subscription will be activated after verification, typically within ${countHours(payments.cardHours)} of your payment.`,
      ),
    ]
  const paymentNote = paymentNoteFor(payments.notePrefix, { invoiceNumber, paymentReference })
  const to = recipientOf(method, payments)
  if (to === null) return [text(noRecipientText(method)), note(verification)]
  const link = payLink(method, payments, amount, paymentNote)
  return compactBlocks(
    text('If you have not paid yet, send the amount in one payment:'),
    facts(['Send', formatCents(amount)], ['To', to], ['Note', paymentNote]),
    link && button(`Open ${methodNames[method]}`, link),
    note(
      method === 'venmo'
        ? `Enter the note exactly as shown and set the payment to private. ${verification}`
        : `Enter the note exactly as shown, so that we can match your payment. ${verification}`,
    ),
  )
}
