import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { button, compactBlocks, dateTime, facts, formatDate, invoiceFields, text } from '../../mail-blocks.ts'
import { template } from '../../template.ts'

export const orderWaiting = template({
  title: 'Order not paid yet',
  data: z.object({ ...invoiceFields, planId: z.int(), expiresAt: dateTime }),
  sample: {
    invoiceNumber: 'ORD-7K2M9Q',
    planName: 'Little Beast: 2 Connections',
    amount: 2_499,
    planId: 2,
    expiresAt: '2026-11-28T20:14:00.000Z',
  },
  write: ({ invoiceNumber, planName, amount, planId, expiresAt }, { origin }) => ({
    subject: `Your order ${invoiceNumber} is waiting for payment`,
    preview: `You can pay it until ${formatDate(expiresAt)}.`,
    heading: 'Your order is waiting for payment',
    blocks: compactBlocks(
      text('You started an order but have not submitted a payment yet. We saved everything you entered.'),
      facts(
        ['Order', invoiceNumber],
        ['Plan', planName],
        ['Amount', formatCents(amount)],
        ['Pay by', formatDate(expiresAt)],
      ),
      button(
        'Continue my order',
        `${origin}/checkout?planId=${planId}&invoiceNumber=${encodeURIComponent(invoiceNumber)}`,
      ),
      text(
        'Changed your mind? You do not need to do anything: the order expires automatically, and we will not remind you again.',
      ),
    ),
    reason: 'You received this email because you started an order in your account.',
  }),
})
