import * as z from 'zod/mini'
import { button, compactBlocks, facts, formatDate, optionalDateTime, optionalText, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

const daysText = (days: number): string => (days === 1 ? '1 day' : `${days} days`)

export const daysAdded = template({
  title: 'Days added to a subscription',
  data: z.object({ days: z.int(), reason: z.string(), planName: optionalText, endDate: optionalDateTime }),
  sample: {
    days: 3,
    reason: 'Outage of the sports channels on November 24',
    planName: 'Beast: 3 Months, 2 Connections',
    endDate: '2027-02-21T00:00:00.000Z',
  },
  write: ({ days, reason, planName, endDate }, { brand, origin }) => ({
    subject: `${daysText(days)} were added to your ${brand} subscription`.replace('1 day were', '1 day was'),
    preview: 'Your subscription ends later.',
    heading: `We added ${daysText(days)} to your subscription`,
    blocks: compactBlocks(
      text('You do not have to do anything, and it costs you nothing.'),
      facts(['Reason', reason], ['Plan', planName || null], ['New end', endDate ? formatDate(endDate) : null]),
      button('Go to my account', `${origin}/dashboard`),
    ),
  }),
})
