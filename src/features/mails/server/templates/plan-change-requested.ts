import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { template } from '../template.ts'
import { button, invoiceUrl, present, rows, text } from '../words.ts'

export const planChangeRequested = template({
  title: 'Plan change requested',
  data: z.object({ invoiceNumber: z.string(), from: z.string(), to: z.string(), amount: z.int() }),
  sample: {
    invoiceNumber: 'ORD-4T8W1A',
    from: 'Little Beast: 1 Connection',
    to: 'Little Beast: 3 Connections',
    amount: 1_120,
  },
  write: ({ invoiceNumber, from, to, amount }, desk) => ({
    subject: `Your plan change to ${to}`,
    preview:
      amount > 0
        ? `${formatCents(amount)} to pay, then an administrator approves it.`
        : 'Nothing to pay. An administrator approves it.',
    heading: 'You asked for another plan',
    blocks: present(
      rows(['From', from], ['To', to], ['To pay now', formatCents(amount)], ['Invoice', invoiceNumber]),
      text(
        amount > 0
          ? 'The amount is for the rest of your period. Your plan changes as soon as it is paid and an administrator has approved it; until then everything stays as it is.'
          : 'Nothing is left to pay. Your plan changes as soon as an administrator has approved it; until then everything stays as it is.',
      ),
      button(amount > 0 ? 'Pay this invoice' : 'Open my invoice', invoiceUrl(desk, invoiceNumber)),
    ),
    reason: 'You get this mail because you asked to change your plan.',
  }),
})
