import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { template } from '../template.ts'
import { button, hours, invoiceFacts, invoiceUrl, note, present, rows, text } from '../words.ts'

export const paymentLink = template({
  title: 'Card payment link',
  data: z.object({ ...invoiceFacts, paymentLink: z.optional(z.nullable(z.url({ protocol: /^https$/ }))) }),
  sample: {
    invoiceNumber: 'ORD-7K2M9Q',
    planName: 'Beast: 3 Months, 1 Connection',
    amount: 3_999,
    paymentLink: 'https://pay.example/s/4f2a',
  },
  write: ({ invoiceNumber, planName, amount, paymentLink: link }, desk) => ({
    subject: `Your secure payment link for ${invoiceNumber}`,
    preview: `Pay ${formatCents(amount)} by card.`,
    heading: 'Pay by card',
    blocks: present(
      text('Here is the secure page on which you can pay your invoice by card.'),
      rows(['Invoice', invoiceNumber], ['Plan', planName], ['Amount', formatCents(amount)]),
      link
        ? { kind: 'button', label: `Pay ${formatCents(amount)}`, url: link, plain: true }
        : button('Open my invoice', invoiceUrl(desk, invoiceNumber)),
      note(`Your subscription is activated after verification, typically within ${hours(desk.payments.cardHours)}.`),
      link && text(`The link also stands on your invoice: ${invoiceUrl(desk, invoiceNumber)}`),
    ),
    reason: 'You get this mail because you chose to pay by card.',
  }),
})
