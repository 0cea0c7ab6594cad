import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { template } from '../template.ts'
import { button, invoiceFacts, invoiceUrl, longDay, maybeWhen, present, rows, text } from '../words.ts'

export const renewalInvoice = template({
  title: 'Renewal invoice',
  data: z.object({ ...invoiceFacts, endDate: maybeWhen }),
  sample: {
    invoiceNumber: 'ORD-9F3B6X',
    planName: 'Little Beast: 2 Connections',
    amount: 2_499,
    endDate: '2026-12-05T20:14:00.000Z',
  },
  write: ({ invoiceNumber, planName, amount, endDate }, desk) => ({
    subject: `Your renewal invoice ${invoiceNumber}`,
    preview: endDate ? `Pay before ${longDay(endDate)} and nothing stops.` : `${formatCents(amount)} for ${planName}.`,
    heading: 'Time to renew',
    blocks: present(
      text(
        'Here is the invoice for your next period. Pay it early if you like: the new period starts where the running one ends.',
      ),
      rows(
        ['Plan', planName],
        ['Amount', formatCents(amount)],
        ['Running period ends', endDate ? longDay(endDate) : null],
        ['Invoice', invoiceNumber],
      ),
      button('Renew now', invoiceUrl(desk, invoiceNumber)),
      text('There is no automatic charge: if you do nothing, the invoice expires and your subscription ends.'),
    ),
    reason: 'You get this mail because your subscription can be renewed.',
  }),
})
