import * as z from 'zod/mini'
import { button, compactBlocks, optionalText, quote, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

export const trialDenied = template({
  title: 'Trial denied',
  data: z.object({ adminNotes: optionalText }),
  sample: { adminNotes: 'We offer one trial per household, and yours had one recently.' },
  write: ({ adminNotes }, { brand, origin, claims }) => ({
    subject: `About your ${brand} trial request`,
    preview: 'We cannot offer you a trial this time.',
    heading: 'No trial this time',
    blocks: compactBlocks(
      text('Thank you for your interest. We cannot offer you a free trial this time.'),
      quote('Our note', adminNotes),
      claims.moneyBackDays > 0 &&
        text(
          `You can still try us without risk: every plan comes with a ${claims.moneyBackDays}-day money-back guarantee.`,
        ),
      button('See plans', `${origin}/pricing`),
    ),
    reason: 'You received this email because you asked for a free trial.',
  }),
})
