import * as z from 'zod/mini'
import { template } from '../template.ts'
import { button, longDay, maybeWhen, moment, note, present, rows, text, words } from '../words.ts'

export const subscriptionExpired = template({
  title: 'Subscription expired',
  data: z.object({ planName: words, endDate: maybeWhen, worksUntil: maybeWhen, invoiceNumber: words }),
  sample: {
    planName: 'Little Beast: 2 Connections',
    endDate: '2026-11-21T20:14:00.000Z',
    worksUntil: '2026-11-24T20:14:00.000Z',
  },
  write: ({ planName, endDate, worksUntil, invoiceNumber }, { brand, origin }) => ({
    subject: `Your ${brand} subscription has ended`,
    preview: 'Your account stays. Renew whenever you like.',
    heading: 'Your subscription has ended',
    blocks: present(
      text(
        'Your account, your invoices and your account credit stay. Renew whenever you like, and you can go on watching.',
      ),
      worksUntil &&
        note(`Your channels keep working until ${moment(worksUntil)}. Renew before then and nothing stops.`, 'warn'),
      rows(['Plan', planName], ['Ended on', endDate ? longDay(endDate) : null]),
      button(
        'Renew my subscription',
        invoiceNumber ? `${origin}/invoice/${encodeURIComponent(invoiceNumber)}` : `${origin}/dashboard`,
      ),
      text('Was something not right? Answer this mail and tell us.'),
    ),
    reason: 'You get this mail because your subscription ended.',
  }),
})
