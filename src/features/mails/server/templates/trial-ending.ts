import * as z from 'zod/mini'
import { template } from '../template.ts'
import { button, moment, present, rows, text, when } from '../words.ts'

export const trialEnding = template({
  title: 'Trial ending',
  data: z.object({ expiryDate: when }),
  sample: { expiryDate: '2026-11-23T20:00:00.000Z' },
  write: ({ expiryDate }, { brand, origin }) => ({
    subject: `Your ${brand} trial ends soon`,
    preview: `It runs until ${moment(expiryDate)}.`,
    heading: 'Your trial ends soon',
    blocks: present(
      text('We hope you like what you have seen. Choose a plan now, and go on watching when the trial is over.'),
      rows(['Trial ends', moment(expiryDate)]),
      button('Choose a plan', `${origin}/pricing`),
    ),
    reason: 'You get this mail because your free trial ends soon.',
  }),
})
