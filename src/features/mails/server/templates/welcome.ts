import * as z from 'zod/mini'
import { template } from '../template.ts'
import { button, isLikeAddress, present, steps, text } from '../words.ts'

export const welcome = template({
  title: 'Welcome',
  data: z.object({ username: z.string() }),
  sample: { username: 'olive' },
  write: ({ username }, { brand, origin, claims }) => ({
    subject: `Welcome to ${brand}`,
    preview: `Your account${isLikeAddress(username) ? '' : ` ${username}`} is ready. Here is how to start watching.`,
    heading: 'Good to have you',
    blocks: present(
      text(`Your ${brand} account is ready.${isLikeAddress(username) ? '' : ` Your username is ${username}.`}`),
      steps(
        'Choose a plan by the number of screens that watch at once.',
        'Pay by Cash App, Venmo or a card link. We check every payment by hand.',
        'Follow the setup guide for your device and start watching.',
      ),
      button('Choose a plan', `${origin}/pricing`),
      text(`Not sure yet? Ask for a free trial (${claims.trialHours} hours) at ${origin}/request-trial.`),
    ),
    reason:
      'You get this mail because somebody registered with this address. If it was not you, ignore it or write to us.',
  }),
})
