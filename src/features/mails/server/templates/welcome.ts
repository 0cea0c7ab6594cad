import * as z from 'zod/mini'
import { button, compactBlocks, looksLikeAddress, steps, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

export const welcome = template({
  title: 'Welcome',
  data: z.object({ username: z.string() }),
  sample: { username: 'olive' },
  write: ({ username }, { brand, origin, claims }) => ({
    subject: `Welcome to ${brand}`,
    preview: `Your account${looksLikeAddress(username) ? '' : ` ${username}`} is ready. Here is how to start watching.`,
    heading: 'Your account is ready',
    blocks: compactBlocks(
      text(`Your ${brand} account is ready.${looksLikeAddress(username) ? '' : ` Your username is ${username}.`}`),
      steps(
        'Choose a plan by the number of screens you want to use at the same time.',
        'Pay by Cash App, Venmo or card payment link. We verify every payment manually.',
        'Follow the setup guide for your device and start watching.',
      ),
      button('Choose a plan', `${origin}/pricing`),
      text(`Not sure yet? Ask for a free trial (${claims.trialHours} hours) at ${origin}/request-trial.`),
    ),
    reason:
      'You received this email because someone registered with this address. If it was not you, ignore it or contact us.',
  }),
})
