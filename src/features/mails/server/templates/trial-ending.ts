import * as z from 'zod/mini'
import { button, compactBlocks, dateTime, facts, formatDateTime, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

export const trialEnding = template({
  title: 'Trial ending',
  data: z.object({ expiryDate: dateTime }),
  sample: { expiryDate: '2026-11-23T20:00:00.000Z' },
  write: ({ expiryDate }, { brand, origin }) => ({
    subject: `Your ${brand} trial ends soon`,
    preview: `It runs until ${formatDateTime(expiryDate)}.`,
    heading: 'Your trial ends soon',
    blocks: compactBlocks(
      text('We hope you have enjoyed it. Choose a plan now to keep watching after the trial ends.'),
      facts(['Trial ends', formatDateTime(expiryDate)]),
      button('Choose a plan', `${origin}/pricing`),
    ),
    reason: 'You received this email because your free trial ends soon.',
  }),
})
