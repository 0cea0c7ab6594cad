import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import {
  button,
  compactBlocks,
  facts,
  formatDate,
  invoiceFields,
  invoiceUrl,
  optionalDateTime,
  text,
} from '../../mail-blocks.ts'
import { template } from '../../template.ts'

export const renewalInvoice = template({
  title: 'Renewal invoice',
  data: z.object({ ...invoiceFields, endDate: optionalDateTime }),
  sample: {
    invoiceNumber: 'ORD-9F3B6X',
    planName: 'Little Beast: 2 Connections',
    amount: 2_499,
    endDate: '2026-12-05T20:14:00.000Z',
  },
  write: ({ invoiceNumber, planName, amount, endDate }, context) => ({
    subject: `Your renewal invoice ${invoiceNumber}`,
    preview: endDate
      ? `Pay before ${formatDate(endDate)} to keep watching without interruption.`
      : `${formatCents(amount)} for ${planName}.`,
    heading: 'Time to renew',
    blocks: compactBlocks(
      text(
        'Here is the invoice for your next period. You can pay early: the new period starts when the current one ends.',
      ),
      facts(
        ['Plan', planName],
        ['Amount', formatCents(amount)],
        ['Current period ends', endDate ? formatDate(endDate) : null],
        ['Invoice', invoiceNumber],
      ),
      button('Renew now', invoiceUrl(context, invoiceNumber)),
      text('You are never charged automatically: if you do nothing, the invoice expires and your subscription ends.'),
    ),
    reason: 'You received this email because your subscription can be renewed.',
  }),
})
