import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { button, compactBlocks, facts, invoiceFields, text } from '../../mail-blocks.ts'
import { template } from '../../template.ts'

export const invoiceCancelled = template({
  title: 'Invoice cancelled',
  data: z.object(invoiceFields),
  sample: { invoiceNumber: 'ORD-7K2M9Q', planName: 'Little Beast: 2 Connections', amount: 2_499 },
  write: ({ invoiceNumber, planName, amount }, { origin }) => ({
    subject: `Invoice ${invoiceNumber} was cancelled`,
    preview: 'There is nothing left to pay.',
    heading: 'Your invoice was cancelled',
    blocks: compactBlocks(
      text('This invoice was cancelled. Please do not pay it.'),
      facts(['Invoice', invoiceNumber], ['Plan', planName], ['Amount', formatCents(amount)]),
      text('Have you already paid? Reply to this email and we will sort it out.'),
      button('See plans', `${origin}/pricing`),
    ),
    reason: 'You received this email because one of your invoices was changed.',
  }),
})
