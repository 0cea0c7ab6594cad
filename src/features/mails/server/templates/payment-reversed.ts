import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { template } from '../template.ts'
import { button, invoiceFacts, invoiceUrl, present, rows, text } from '../words.ts'

export const paymentReversed = template({
  title: 'Payment moved back',
  data: z.object(invoiceFacts),
  sample: { invoiceNumber: 'ORD-7K2M9Q', planName: 'Little Beast: 2 Connections', amount: 2_499 },
  write: ({ invoiceNumber, planName, amount }, desk) => ({
    subject: `The confirmation of ${invoiceNumber} was taken back`,
    preview: 'Your subscription is as it was before this payment.',
    heading: 'A confirmation was taken back',
    blocks: present(
      text(
        'An administrator took back the confirmation of this payment. Your subscription and your account credit are as they were before it.',
      ),
      rows(['Invoice', invoiceNumber], ['Plan', planName], ['Amount', formatCents(amount)]),
      button('Open my invoice', invoiceUrl(desk, invoiceNumber)),
      text('If you do not know why, answer this mail.'),
    ),
    reason: 'You get this mail because an invoice of yours was changed.',
  }),
})
