import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { template } from '../template.ts'
import { button, invoiceUrl, present, rows, text, words } from '../words.ts'

export const refundRequested = template({
  title: 'Refund requested',
  data: z.object({ invoiceNumber: z.string(), planName: words, amount: z.int() }),
  sample: { invoiceNumber: 'ORD-7K2M9Q', planName: 'Little Beast: 2 Connections', amount: 2_499 },
  write: ({ invoiceNumber, planName, amount }, desk) => ({
    subject: `We received your refund request for ${invoiceNumber}`,
    preview: 'An administrator looks at it. Until then you can go on watching.',
    heading: 'We received your request',
    blocks: present(
      text(
        'You asked for your money back. An administrator looks at your request and decides; until then you can go on watching.',
      ),
      rows(['Invoice', invoiceNumber], ['Plan', planName], ['Amount', formatCents(amount)]),
      button('Open my invoice', invoiceUrl(desk, invoiceNumber)),
    ),
    reason: 'You get this mail because you asked for a refund.',
  }),
})
