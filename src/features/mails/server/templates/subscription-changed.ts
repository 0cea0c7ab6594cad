import * as z from 'zod/mini'
import { template } from '../template.ts'
import { button, longDay, maybeWhen, present, rows, text, words } from '../words.ts'

const statusWords = { active: 'Active', pending: 'Pending', expired: 'Expired', cancelled: 'Cancelled', none: 'None' }

export const subscriptionChanged = template({
  title: 'Subscription changed by an administrator',
  data: z.object({
    planName: words,
    status: z.enum(['active', 'pending', 'expired', 'cancelled', 'none']),
    startDate: maybeWhen,
    endDate: maybeWhen,
  }),
  sample: {
    planName: 'Beast: 3 Months, 2 Connections',
    status: 'active',
    startDate: '2026-11-21T00:00:00.000Z',
    endDate: '2027-02-21T00:00:00.000Z',
  },
  write: ({ planName, status, startDate, endDate }, { brand, origin }) => ({
    subject: `Your ${brand} subscription was changed`,
    preview: `It is now ${statusWords[status].toLowerCase()}.`,
    heading: 'Your subscription was changed',
    blocks: present(
      text(`An administrator of ${brand} changed your subscription. It now looks like this:`),
      rows(
        ['Plan', planName || 'No plan'],
        ['Status', statusWords[status]],
        ['Starts', startDate ? longDay(startDate) : null],
        ['Ends', endDate ? longDay(endDate) : null],
      ),
      button('Go to my account', `${origin}/dashboard`),
      text('You did not expect this? Answer this mail.'),
    ),
  }),
})
