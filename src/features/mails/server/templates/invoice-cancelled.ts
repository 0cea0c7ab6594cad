import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { template } from '../template.ts'
import { button, invoiceFacts, present, rows, text } from '../words.ts'

export const invoiceCancelled = template({
  title: 'Invoice cancelled',
  data: z.object(invoiceFacts),
  sample: { invoiceNumber: 'ORD-7K2M9Q', planName: 'Little Beast: 2 Connections', amount: 2_499 },
  write: ({ invoiceNumber, planName, amount }, { origin }) => ({
    subject: `Invoice ${invoiceNumber} was cancelled`,
    preview: 'There is nothing left to pay for it.',
    heading: 'Your invoice was cancelled',
    blocks: present(
      text('This invoice was cancelled. Please do not pay it any more.'),
      rows(['Invoice', invoiceNumber], ['Plan', planName], ['Amount', formatCents(amount)]),
      text('You have already paid? Answer this mail, and we put it right.'),
      button('See the plans', `${origin}/pricing`),
    ),
    reason: 'You get this mail because an invoice of yours was changed.',
  }),
})
