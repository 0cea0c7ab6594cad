import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { template } from '../template.ts'
import { button, invoiceFacts, invoiceUrl, present, quote, rows, text, words } from '../words.ts'

export const paymentRejected = template({
  title: 'Payment rejected',
  data: z.object({ ...invoiceFacts, reason: words }),
  sample: {
    invoiceNumber: 'ORD-7K2M9Q',
    planName: 'Little Beast: 2 Connections',
    amount: 2_499,
    reason: 'We could not find a payment with this confirmation code. Please check it and send it again.',
  },
  write: ({ invoiceNumber, planName, amount, reason }, desk) => ({
    subject: `We could not confirm your payment for ${invoiceNumber}`,
    preview: 'Please have a look at your invoice.',
    heading: 'We could not confirm your payment',
    blocks: present(
      text('We looked for your payment and could not confirm it.'),
      quote('Why', reason),
      rows(['Invoice', invoiceNumber], ['Plan', planName], ['Amount', formatCents(amount)]),
      button('Open my invoice', invoiceUrl(desk, invoiceNumber)),
      text('You have paid and think we are wrong? Answer this mail with a screenshot of the payment.'),
    ),
    reason: 'You get this mail because you told us of a payment.',
  }),
})
