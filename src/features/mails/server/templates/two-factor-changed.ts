import * as z from 'zod/mini'
import { template } from '../template.ts'
import { button, note, notYou, present, text } from '../words.ts'

const words = {
  on: {
    subject: 'Two-step verification is on',
    what: 'From now on, logging in to your account takes your password and a code from your app.',
  },
  off: { subject: 'Two-step verification is off', what: 'From now on, your password alone opens your account.' },
  reset: {
    subject: 'Two-step verification was switched off',
    what: 'Our support has switched off the second step of your login, as you asked. Your password alone opens your account until you set it up again.',
  },
}

export const twoFactorChanged = template({
  title: 'Two-step verification',
  data: z.object({ username: z.optional(z.string()), change: z.enum(['on', 'off', 'reset']) }),
  sample: { username: 'olive', change: 'on' },
  write: ({ change }, { brand, origin }) => ({
    subject: `${words[change].subject} for your ${brand} account`,
    preview: words[change].what,
    heading: words[change].subject,
    blocks: present(text(words[change].what), note(notYou, 'warn'), button('Account security', `${origin}/security`)),
  }),
})
