import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { button, compactBlocks, facts, formatDate, invoiceFields, optionalDateTime, text } from '../../mail-blocks.ts'
import { template } from '../../template.ts'

export const planChangeApplied = template({
  title: 'Plan change applied',
  data: z.object({ ...invoiceFields, endDate: optionalDateTime }),
  sample: {
    invoiceNumber: 'ORD-4T8W1A',
    planName: 'Little Beast: 3 Connections',
    amount: 1_120,
    endDate: '2026-12-12T09:30:00.000Z',
  },
  attaches: ({ invoiceNumber }) => invoiceNumber,
  write: ({ invoiceNumber, planName, amount, endDate }, { origin }) => ({
    subject: `Your plan is now ${planName}`,
    preview: 'The change is approved and in effect.',
    heading: 'Your plan was changed',
    blocks: compactBlocks(
      text('Your plan change is approved and in effect. The receipt is attached.'),
      facts(
        ['Plan', planName],
        ['Paid', formatCents(amount)],
        ['Active until', endDate ? formatDate(endDate) : null],
        ['Invoice', invoiceNumber],
      ),
      button('Go to my account', `${origin}/dashboard`),
    ),
    reason: 'You received this email because you asked to change your plan.',
  }),
})
