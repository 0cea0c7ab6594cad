import * as z from 'zod/mini'
import {
  button,
  compactBlocks,
  facts,
  formatDate,
  formatDateTime,
  note,
  optionalDateTime,
  optionalText,
  text,
} from '../mail-blocks.ts'
import { template } from '../template.ts'

export const subscriptionExpired = template({
  title: 'Subscription expired',
  data: z.object({
    planName: optionalText,
    endDate: optionalDateTime,
    worksUntil: optionalDateTime,
    invoiceNumber: optionalText,
  }),
  sample: {
    planName: 'Little Beast: 2 Connections',
    endDate: '2026-11-21T20:14:00.000Z',
    worksUntil: '2026-11-24T20:14:00.000Z',
  },
  write: ({ planName, endDate, worksUntil, invoiceNumber }, { brand, origin }) => ({
    subject: `Your ${brand} subscription has ended`,
    preview: 'Your account remains. Renew whenever you like.',
    heading: 'Your subscription has ended',
    blocks: compactBlocks(
      text(
        'You keep your account, your invoices and your account credit. Renew whenever you like to continue watching.',
      ),
      worksUntil &&
        note(
          `Your channels keep working until ${formatDateTime(worksUntil)}. Renew before then to keep watching without interruption.`,
          'warn',
        ),
      facts(['Plan', planName], ['Ended on', endDate ? formatDate(endDate) : null]),
      button(
        'Renew my subscription',
        invoiceNumber ? `${origin}/invoice/${encodeURIComponent(invoiceNumber)}` : `${origin}/dashboard`,
      ),
      text('Was something wrong? Reply to this email and tell us.'),
    ),
    reason: 'You received this email because your subscription ended.',
  }),
})
