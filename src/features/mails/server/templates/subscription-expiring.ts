import * as z from 'zod/mini'
import { template } from '../template.ts'
import { button, days as countedDays, longDay, present, rows, text, when, words } from '../words.ts'

export const subscriptionExpiring = template({
  title: 'Subscription expiring',
  data: z.object({ planName: words, endDate: when, days: z.int(), invoiceNumber: words }),
  sample: { planName: 'Little Beast: 2 Connections', endDate: '2026-11-28T20:14:00.000Z', days: 7 },
  write: ({ planName, endDate, days, invoiceNumber }, { brand, origin }) => ({
    subject:
      days <= 1
        ? `Your ${brand} subscription ends tomorrow`
        : `Your ${brand} subscription ends in ${countedDays(days)}`,
    preview: `Renew before ${longDay(endDate)} and keep watching.`,
    heading: days <= 1 ? 'One day left' : `${countedDays(days)} left`,
    blocks: present(
      text(
        'Renew in time and nothing stops: whenever you pay, the new period starts where this one ends. You lose no day by paying early.',
      ),
      rows(['Plan', planName], ['Ends on', longDay(endDate)], ['Invoice', invoiceNumber]),
      button(
        'Renew my subscription',
        invoiceNumber ? `${origin}/invoice/${encodeURIComponent(invoiceNumber)}` : `${origin}/dashboard`,
      ),
      text('There is no automatic charge: if you do nothing, your subscription simply ends.'),
    ),
    reason: 'You get this mail because your subscription ends soon.',
  }),
})
