import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { button, compactBlocks, facts, invoiceFields, invoiceUrl, text } from '../../mail-blocks.ts'
import { template } from '../../template.ts'

export const paymentReversed = template({
  title: 'Payment confirmation reversed',
  data: z.object(invoiceFields),
  sample: { invoiceNumber: 'ORD-7K2M9Q', planName: 'Little Beast: 2 Connections', amount: 2_499 },
  write: ({ invoiceNumber, planName, amount }, context) => ({
    subject: `Your payment for ${invoiceNumber} is no longer confirmed`,
    preview: 'Your subscription is back to its state before this payment.',
    heading: 'Your payment is no longer confirmed',
    blocks: compactBlocks(
      text(
        'An administrator reversed the confirmation of this payment. Your subscription and your account credit are back to their state before the payment.',
      ),
      facts(['Invoice', invoiceNumber], ['Plan', planName], ['Amount', formatCents(amount)]),
      button('Open my invoice', invoiceUrl(context, invoiceNumber)),
      text('If you do not know why, reply to this email.'),
    ),
    reason: 'You received this email because one of your invoices was changed.',
  }),
})
