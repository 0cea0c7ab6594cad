import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { button, compactBlocks, facts, invoiceUrl, optionalText, text } from '../../mail-blocks.ts'
import { template } from '../../template.ts'

export const refundRequested = template({
  title: 'Refund requested',
  data: z.object({ invoiceNumber: z.string(), planName: optionalText, amount: z.int() }),
  sample: { invoiceNumber: 'ORD-7K2M9Q', planName: 'Little Beast: 2 Connections', amount: 2_499 },
  write: ({ invoiceNumber, planName, amount }, context) => ({
    subject: `We received your refund request for ${invoiceNumber}`,
    preview: 'An administrator will review it. You can keep watching until then.',
    heading: 'We received your request',
    blocks: compactBlocks(
      text('You asked for a refund. An administrator will review your request. You can keep watching until then.'),
      facts(['Invoice', invoiceNumber], ['Plan', planName], ['Amount', formatCents(amount)]),
      button('Open my invoice', invoiceUrl(context, invoiceNumber)),
    ),
    reason: 'You received this email because you asked for a refund.',
  }),
})
