import * as z from 'zod/mini'
import { template } from '../template.ts'
import { button, maybeWhen, moment, note, present, rows, text } from '../words.ts'

export const trialApproved = template({
  title: 'Trial approved',
  data: z.object({ expiryDate: maybeWhen }),
  sample: { expiryDate: '2026-11-23T20:00:00.000Z' },
  write: ({ expiryDate }, { brand, origin }) => ({
    subject: `Your free ${brand} trial is ready`,
    preview: expiryDate ? `It runs until ${moment(expiryDate)}.` : 'Your credentials are waiting for you.',
    heading: 'Your trial is ready',
    blocks: present(
      text('Your free trial was approved. Username, password and server address are waiting in your account.'),
      rows(['Runs until', expiryDate ? moment(expiryDate) : null]),
      button('Show my credentials', `${origin}/request-trial`),
      note('For your safety we never send credentials by e-mail.'),
      text(`The setup guide shows how to enter them on your device: ${origin}/setup`),
    ),
    reason: 'You get this mail because you asked for a free trial.',
  }),
})
