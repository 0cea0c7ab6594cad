import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { button, compactBlocks, facts, invoiceFields, invoiceUrl, text } from '../../mail-blocks.ts'
import { template } from '../../template.ts'

export const orderCreated = template({
  title: 'Order created by an administrator',
  data: z.object(invoiceFields),
  sample: { invoiceNumber: 'ORD-9F3B6X', planName: 'Little Beast: 2 Connections', amount: 2_499 },
  write: ({ invoiceNumber, planName, amount }, context) => ({
    subject: `Your order ${invoiceNumber}`,
    preview: `${formatCents(amount)} for ${planName}.`,
    heading: 'Your order is ready to be paid',
    blocks: compactBlocks(
      text(`${context.brand} prepared this order for you:`),
      facts(['Plan', planName], ['Amount', formatCents(amount)], ['Order', invoiceNumber]),
      button('Pay this order', invoiceUrl(context, invoiceNumber)),
      text('If you do not want it, ignore this email: the order expires and you are not charged.'),
    ),
    reason: 'You received this email because an order was prepared for you.',
  }),
})
