import * as z from 'zod/mini'
import { button, compactBlocks, note, notYouWarning, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

const messages = {
  on: {
    subject: 'Two-step verification is on',
    body: 'Logging in with your password now also requires a code from your authenticator app.',
  },
  off: { subject: 'Two-step verification is off', body: 'From now on, your password alone is enough to log in.' },
  reset: {
    subject: 'Two-step verification was turned off',
    body: 'As you asked, our support team turned off two-step verification. Until you set it up again, your password alone is enough to log in.',
  },
}

export const twoFactorChanged = template({
  title: 'Two-step verification changed',
  data: z.object({ username: z.optional(z.string()), change: z.enum(['on', 'off', 'reset']) }),
  sample: { username: 'olive', change: 'on' },
  write: ({ change }, { brand, origin }) => ({
    subject: `${messages[change].subject} for your ${brand} account`,
    preview: messages[change].body,
    heading: messages[change].subject,
    blocks: compactBlocks(
      text(messages[change].body),
      note(notYouWarning, 'warn'),
      button('Account security', `${origin}/security`),
    ),
  }),
})
