import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { button, compactBlocks, countHours, facts, invoiceFields, invoiceUrl, note, text } from '../../mail-blocks.ts'
import { template } from '../../template.ts'

export const paymentLink = template({
  title: 'Card payment link',
  data: z.object({ ...invoiceFields, paymentLink: z.optional(z.nullable(z.url({ protocol: /^https$/ }))) }),
  sample: {
    invoiceNumber: 'ORD-7K2M9Q',
    planName: 'Beast: 3 Months, 1 Connection',
    amount: 3_999,
    paymentLink: 'https://pay.example/s/4f2a',
  },
  write: ({ invoiceNumber, planName, amount, paymentLink: link }, context) => ({
    subject: `Your secure payment link for ${invoiceNumber}`,
    preview: `Pay ${formatCents(amount)} by card.`,
    heading: 'Pay by card',
    blocks: compactBlocks(
      text('Use this secure page to pay your invoice by card.'),
      facts(['Invoice', invoiceNumber], ['Plan', planName], ['Amount', formatCents(amount)]),
      link
        ? { kind: 'button', label: `Pay ${formatCents(amount)}`, url: link, plain: true }
        : button('Open my invoice', invoiceUrl(context, invoiceNumber)),
      note(
        `Your subscription will be activated after verification, typically within ${countHours(context.payments.cardHours)}.`,
      ),
      link && text(`You can also find the link on your invoice: ${invoiceUrl(context, invoiceNumber)}`),
    ),
    reason: 'You received this email because you chose to pay by card.',
  }),
})
