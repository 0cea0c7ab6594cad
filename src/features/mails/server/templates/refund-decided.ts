import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { template } from '../template.ts'
import { button, invoiceUrl, note, present, quote, rows, text, words } from '../words.ts'

export const refundDecided = template({
  title: 'Refund decided',
  data: z.object({
    invoiceNumber: z.string(),
    planName: words,
    amount: z.int(),
    approved: z.boolean(),
    reason: words,
    creditNote: words,
    creditReturned: z.optional(z.int()),
  }),
  sample: {
    invoiceNumber: 'ORD-7K2M9Q',
    planName: 'Little Beast: 2 Connections',
    amount: 2_499,
    approved: true,
    reason: 'Sent back by the way you paid.',
    creditNote: 'CN-000042',
    creditReturned: 500,
  },
  write: ({ invoiceNumber, planName, amount, approved, reason, creditNote, creditReturned = 0 }, desk) => ({
    subject: approved
      ? `Your refund for ${invoiceNumber} is approved`
      : `About your refund request for ${invoiceNumber}`,
    preview: approved ? `${formatCents(amount)} goes back to you.` : 'We cannot give this refund.',
    heading: approved ? 'Your refund is approved' : 'We cannot give this refund',
    blocks: present(
      text(
        approved
          ? 'Your money goes back the way it came. What this payment had activated has ended with it.'
          : 'We looked at your request and cannot give this refund. Your subscription stays as it is.',
      ),
      quote(approved ? 'Our note' : 'Why', reason),
      rows(
        ['Invoice', invoiceNumber],
        ['Plan', planName],
        [approved ? 'Refunded' : 'Amount', formatCents(amount)],
        creditReturned > 0 && ['Back as account credit', formatCents(creditReturned)],
        ['Credit note', creditNote],
      ),
      approved && note('Thank you for giving us a try. You are welcome back any time.', 'good'),
      button('Open my invoice', invoiceUrl(desk, invoiceNumber)),
    ),
    reason: 'You get this mail because you asked for a refund.',
  }),
})
