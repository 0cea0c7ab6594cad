import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { button, facts, invoiceFields, invoiceUrl, text } from '../../mail-blocks.ts'
import { template } from '../../template.ts'

export const paymentShort = template({
  title: 'Part of a payment received',
  data: z.object({ ...invoiceFields, received: z.int(), left: z.int() }),
  sample: {
    invoiceNumber: 'ORD-7K2M9Q',
    planName: 'Little Beast: 2 Connections',
    amount: 2_499,
    received: 2_000,
    left: 499,
  },
  write: ({ invoiceNumber, planName, amount, received, left }, context) => ({
    subject: `${formatCents(left)} left to pay for ${invoiceNumber}`,
    preview: `We received ${formatCents(received)} of ${formatCents(amount)}.`,
    heading: 'We received part of your payment',
    blocks: [
      text('Thank you. Your payment is kept for this invoice. Your plan starts when the rest arrives.'),
      facts(
        ['Invoice', invoiceNumber],
        ['Plan', planName],
        ['Amount', formatCents(amount)],
        ['Received', formatCents(received)],
        ['Left to pay', formatCents(left)],
      ),
      button('Pay the rest', invoiceUrl(context, invoiceNumber)),
      text('Please use the same note as for the first payment.'),
    ],
    reason: 'You received this email because a payment for your account was received.',
  }),
})
