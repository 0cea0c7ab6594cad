import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import {
  button,
  compactBlocks,
  facts,
  invoiceFields,
  invoiceUrl,
  optionalText,
  quote,
  text,
} from '../../mail-blocks.ts'
import { template } from '../../template.ts'

export const paymentRejected = template({
  title: 'Payment rejected',
  data: z.object({ ...invoiceFields, reason: optionalText }),
  sample: {
    invoiceNumber: 'ORD-7K2M9Q',
    planName: 'Little Beast: 2 Connections',
    amount: 2_499,
    reason: 'We could not find a payment with this confirmation code. Please check it and send it again.',
  },
  write: ({ invoiceNumber, planName, amount, reason }, context) => ({
    subject: `We could not confirm your payment for ${invoiceNumber}`,
    preview: 'Please check your invoice.',
    heading: 'We could not confirm your payment',
    blocks: compactBlocks(
      text('We looked for your payment but could not confirm it.'),
      quote('Reason', reason),
      facts(['Invoice', invoiceNumber], ['Plan', planName], ['Amount', formatCents(amount)]),
      button('Open my invoice', invoiceUrl(context, invoiceNumber)),
      text('If you have paid and think this is a mistake, reply to this email with a screenshot of the payment.'),
    ),
    reason: 'You received this email because you told us about a payment.',
  }),
})
