import * as z from 'zod/mini'
import {
  button,
  compactBlocks,
  countDays as countedDays,
  dateTime,
  facts,
  formatDate,
  optionalText,
  text,
} from '../mail-blocks.ts'
import { template } from '../template.ts'

export const subscriptionExpiring = template({
  title: 'Subscription expiring',
  data: z.object({ planName: optionalText, endDate: dateTime, days: z.int(), invoiceNumber: optionalText }),
  sample: { planName: 'Little Beast: 2 Connections', endDate: '2026-11-28T20:14:00.000Z', days: 7 },
  write: ({ planName, endDate, days, invoiceNumber }, { brand, origin }) => ({
    subject:
      days <= 1
        ? `Your ${brand} subscription ends tomorrow`
        : `Your ${brand} subscription ends in ${countedDays(days)}`,
    preview: `Renew before ${formatDate(endDate)} and keep watching.`,
    heading: days <= 1 ? 'One day left' : `${countedDays(days)} left`,
    blocks: compactBlocks(
      text(
        'Renew in time to keep watching without interruption. The new period starts when this one ends, so you lose no days by paying early.',
      ),
      facts(['Plan', planName], ['Ends on', formatDate(endDate)], ['Invoice', invoiceNumber]),
      button(
        'Renew my subscription',
        invoiceNumber ? `${origin}/invoice/${encodeURIComponent(invoiceNumber)}` : `${origin}/dashboard`,
      ),
      text('You are never charged automatically: if you do nothing, your subscription ends.'),
    ),
    reason: 'You received this email because your subscription ends soon.',
  }),
})
