import * as z from 'zod/mini'
import { button, compactBlocks, facts, formatDate, optionalDateTime, optionalText, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

const statusNames = { active: 'Active', pending: 'Pending', expired: 'Expired', cancelled: 'Cancelled', none: 'None' }

export const subscriptionChanged = template({
  title: 'Subscription changed by an administrator',
  data: z.object({
    planName: optionalText,
    status: z.enum(['active', 'pending', 'expired', 'cancelled', 'none']),
    startDate: optionalDateTime,
    endDate: optionalDateTime,
  }),
  sample: {
    planName: 'Beast: 3 Months, 2 Connections',
    status: 'active',
    startDate: '2026-11-21T00:00:00.000Z',
    endDate: '2027-02-21T00:00:00.000Z',
  },
  write: ({ planName, status, startDate, endDate }, { brand, origin }) => ({
    subject: `Your ${brand} subscription was changed`,
    preview: `It is now ${statusNames[status].toLowerCase()}.`,
    heading: 'Your subscription was changed',
    blocks: compactBlocks(
      text(`An administrator of ${brand} changed your subscription. It now looks like this:`),
      facts(
        ['Plan', planName || 'No plan'],
        ['Status', statusNames[status]],
        ['Starts', startDate ? formatDate(startDate) : null],
        ['Ends', endDate ? formatDate(endDate) : null],
      ),
      button('Go to my account', `${origin}/dashboard`),
      text('If you did not expect this, reply to this email.'),
    ),
  }),
})
