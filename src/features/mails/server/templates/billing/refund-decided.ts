import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { button, compactBlocks, facts, invoiceUrl, note, optionalText, quote, text } from '../../mail-blocks.ts'
import { template } from '../../template.ts'

export const refundDecided = template({
  title: 'Refund decided',
  data: z.object({
    invoiceNumber: z.string(),
    planName: optionalText,
    amount: z.int(),
    approved: z.boolean(),
    reason: optionalText,
    creditNote: optionalText,
    creditReturned: z.optional(z.int()),
  }),
  sample: {
    invoiceNumber: 'ORD-7K2M9Q',
    planName: 'Little Beast: 2 Connections',
    amount: 2_499,
    approved: true,
    reason: 'Sent back by the payment method you used.',
    creditNote: 'CN-000042',
    creditReturned: 500,
  },
  write: ({ invoiceNumber, planName, amount, approved, reason, creditNote, creditReturned = 0 }, context) => ({
    subject: approved
      ? `Your refund for ${invoiceNumber} is approved`
      : `About your refund request for ${invoiceNumber}`,
    preview: approved ? `We are refunding ${formatCents(amount)}.` : 'We cannot approve this refund.',
    heading: approved ? 'Your refund is approved' : 'We cannot approve this refund',
    blocks: compactBlocks(
      text(
        approved
          ? 'We are sending the money back by the payment method you used. The subscription time from this payment has ended.'
          : 'We reviewed your request and cannot approve this refund. Your subscription stays unchanged.',
      ),
      quote(approved ? 'Our note' : 'Reason', reason),
      facts(
        ['Invoice', invoiceNumber],
        ['Plan', planName],
        [approved ? 'Refunded' : 'Amount', formatCents(amount)],
        creditReturned > 0 && ['Returned as account credit', formatCents(creditReturned)],
        ['Credit note', creditNote],
      ),
      approved && note('Thank you for trying us. You are welcome back any time.', 'good'),
      button('Open my invoice', invoiceUrl(context, invoiceNumber)),
    ),
    reason: 'You received this email because you asked for a refund.',
  }),
})
