import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { button, compactBlocks, facts, invoiceUrl, text } from '../../mail-blocks.ts'
import { template } from '../../template.ts'

export const planChangeRequested = template({
  title: 'Plan change requested',
  data: z.object({ invoiceNumber: z.string(), from: z.string(), to: z.string(), amount: z.int() }),
  sample: {
    invoiceNumber: 'ORD-4T8W1A',
    from: 'Little Beast: 1 Connection',
    to: 'Little Beast: 3 Connections',
    amount: 1_120,
  },
  write: ({ invoiceNumber, from, to, amount }, context) => ({
    subject: `Your plan change to ${to}`,
    preview:
      amount > 0
        ? `Pay ${formatCents(amount)}, then an administrator approves the change.`
        : 'There is nothing to pay. An administrator will review the change.',
    heading: 'You requested a plan change',
    blocks: compactBlocks(
      facts(['From', from], ['To', to], ['Amount due now', formatCents(amount)], ['Invoice', invoiceNumber]),
      text(
        amount > 0
          ? 'The amount covers the rest of your current period. Your plan changes as soon as the amount is paid and an administrator has approved the change. Until then, nothing changes.'
          : 'There is nothing left to pay. Your plan changes as soon as an administrator has approved the change. Until then, nothing changes.',
      ),
      button(amount > 0 ? 'Pay this invoice' : 'Open my invoice', invoiceUrl(context, invoiceNumber)),
    ),
    reason: 'You received this email because you asked to change your plan.',
  }),
})
