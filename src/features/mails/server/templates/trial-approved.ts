import * as z from 'zod/mini'
import { button, compactBlocks, facts, formatDateTime, note, optionalDateTime, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

export const trialApproved = template({
  title: 'Trial approved',
  data: z.object({ expiryDate: optionalDateTime }),
  sample: { expiryDate: '2026-11-23T20:00:00.000Z' },
  write: ({ expiryDate }, { brand, origin }) => ({
    subject: `Your free ${brand} trial is ready`,
    preview: expiryDate ? `It runs until ${formatDateTime(expiryDate)}.` : 'Your credentials are ready.',
    heading: 'Your trial is ready',
    blocks: compactBlocks(
      text('Your free trial was approved. Your username, password and server address are in your account.'),
      facts(['Runs until', expiryDate ? formatDateTime(expiryDate) : null]),
      button('Show my credentials', `${origin}/request-trial`),
      note('For your security, we never send credentials by email.'),
      text(`The setup guide shows how to enter them on your device: ${origin}/setup`),
    ),
    reason: 'You received this email because you asked for a free trial.',
  }),
})
