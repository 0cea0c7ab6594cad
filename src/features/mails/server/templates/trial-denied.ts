import * as z from 'zod/mini'
import { template } from '../template.ts'
import { button, present, quote, text, words } from '../words.ts'

export const trialDenied = template({
  title: 'Trial denied',
  data: z.object({ adminNotes: words }),
  sample: { adminNotes: 'We give one trial a household, and there was one a short while ago.' },
  write: ({ adminNotes }, { brand, origin, claims }) => ({
    subject: `About your ${brand} trial request`,
    preview: 'We cannot give you a trial this time.',
    heading: 'No trial this time',
    blocks: present(
      text('Thank you for your interest. We cannot give you a free trial this time.'),
      quote('Our note', adminNotes),
      claims.moneyBackDays > 0 &&
        text(`You can still try us without risk: every plan comes with ${claims.moneyBackDays} days money back.`),
      button('See the plans', `${origin}/pricing`),
    ),
    reason: 'You get this mail because you asked for a free trial.',
  }),
})
