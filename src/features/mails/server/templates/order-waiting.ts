import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { template } from '../template.ts'
import { button, invoiceFacts, longDay, present, rows, text, when } from '../words.ts'

export const orderWaiting = template({
  title: 'Order waiting',
  data: z.object({ ...invoiceFacts, planId: z.int(), expiresAt: when }),
  sample: {
    invoiceNumber: 'ORD-7K2M9Q',
    planName: 'Little Beast: 2 Connections',
    amount: 2_499,
    planId: 2,
    expiresAt: '2026-11-28T20:14:00.000Z',
  },
  write: ({ invoiceNumber, planName, amount, planId, expiresAt }, { origin }) => ({
    subject: `Your order ${invoiceNumber} is waiting`,
    preview: `It can be paid until ${longDay(expiresAt)}.`,
    heading: 'Your order is waiting',
    blocks: present(
      text('You started an order and have not told us about a payment yet. Everything is kept as you left it.'),
      rows(
        ['Order', invoiceNumber],
        ['Plan', planName],
        ['Amount', formatCents(amount)],
        ['Can be paid until', longDay(expiresAt)],
      ),
      button(
        'Continue my order',
        `${origin}/checkout?planId=${planId}&invoiceNumber=${encodeURIComponent(invoiceNumber)}`,
      ),
      text('Changed your mind? Do nothing: the order expires by itself, and we do not remind you of it again.'),
    ),
    reason: 'You get this mail because you started an order in your account.',
  }),
})
